// Initial weights of a new run from a checkpoint, perhaps with another corpus, settings or
// vocabulary.  Test: tests/learn/start_test.cpp, tests/cli/train_start.sh.
#pragma once

#include <string>

#include "base/report.hpp"
#include "text/vocabularies.hpp"
#include "train/trained_model.hpp"

namespace awend::train {

struct InitialWeights {
  std::string path;  ///< Of a checkpoint of the same shape.
  /// Its vocabulary may differ: the rows of common pieces are copied, other rows keep their initial
  /// values.
  bool extends_vocabulary = false;
};

/// Throws Error naming file and parameter if a shape differs, or if the vocabulary differs and is
/// not to be extended.
void load_weights(const InitialWeights& initial, const text::Vocabularies& vocabularies,
                  TrainedModel& model, const base::Report& report);

}  // namespace awend::train
