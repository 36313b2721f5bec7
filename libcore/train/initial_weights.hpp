// Initial weights of a new run from a checkpoint, perhaps with another corpus, settings or
// vocabulary.  Test: tests/learn/start_test.cpp, tests/cli/train_start.sh.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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

/// For each piece of a vocabulary, its id in another one.
std::vector<std::optional<std::uint32_t>> partners(const text::Vocabulary& own,
                                                   const text::Vocabulary& other);

/// Throws Error naming file and parameter if a shape differs, or if the vocabulary differs and is
/// not to be extended.
void load_weights(const InitialWeights& initial, const text::Vocabularies& vocabularies,
                  TrainedModel& model, const base::Report& report);

}  // namespace awend::train
