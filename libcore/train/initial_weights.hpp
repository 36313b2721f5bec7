// Weights of a checkpoint for a run that starts anew: another corpus, other settings, perhaps
// another vocabulary.  Test: tests/learn/start_test.cpp, tests/cli/train_start.sh.
#pragma once

#include <string>

#include "base/report.hpp"
#include "text/vocabulary.hpp"
#include "train/trained_model.hpp"

namespace awend::train {

struct InitialWeights {
  std::string path;  ///< Of a checkpoint of the same shape.
  /// Its vocabulary may be another: the rows of pieces that both have are taken along, others keep
  /// the values that were drawn for them.
  bool extends_vocabulary = false;
};

/// Throws Error naming file and parameter where a shape differs, and if the vocabulary is another
/// that was not to be extended.
void load_weights(const InitialWeights& initial, const text::Vocabulary& vocabulary,
                  TrainedModel& model, const base::Report& report);

}  // namespace awend::train
