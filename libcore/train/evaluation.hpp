// What a validation finds: losses, and scores of the output.
#pragma once

#include "forward/losses.hpp"
#include "train/scores.hpp"

namespace awend::train {

class TrainedModel;
class Validation;

struct Evaluation {
  forward::Losses losses;
  Scores scores = {};  ///< If the validation text is translated or encoded.

  /// Requires: the metric is the loss or one of the scores.
  double value(ValidationMetric metric) const;
};

/// Scores of the output for the validation text with the current parameters.
class ScoredValidation {
 public:
  virtual ~ScoredValidation() = default;
  virtual Scores scores() = 0;
};

/// Evaluates the weights, or their moving average if the model keeps one.  `output` may be null.
Evaluation evaluate(TrainedModel& model, Validation& validation, ScoredValidation* output);

}  // namespace awend::train
