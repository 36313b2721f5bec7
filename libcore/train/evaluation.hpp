// What a validation finds: losses, and scores of translations.
#pragma once

#include <optional>

#include "forward/losses.hpp"
#include "train/recipe.hpp"
#include "train/scores.hpp"

namespace awend::train {

class TrainedModel;
class TranslatedValidation;
class Validation;

struct Evaluation {
  forward::Losses losses;
  std::optional<Scores> scores = {};  ///< If the validation text is translated.

  /// Requires: scores, unless the metric is the loss.
  double value(ValidationMetric metric) const;
};

/// Evaluates the weights, or their moving average if the model keeps one.  `translation` may be
/// null.
Evaluation evaluate(TrainedModel& model, Validation& validation, TranslatedValidation* translation);

}  // namespace awend::train
