// Settings of a training run that errors refer to; the program train replaces them with its
// options.
#pragma once

#include "base/message.hpp"

namespace awend::train {

inline constexpr base::Setting kSources{"the source files"};
inline constexpr base::Setting kTargets{"the target files"};
inline constexpr base::Setting kGuidedAlignment{"the alignment files"};
inline constexpr base::Setting kCorpusWeights{"the corpus weights"};
inline constexpr base::Setting kMaxLength{"the maximum length"};
inline constexpr base::Setting kTokensInBatch{"the size of a batch in tokens"};
inline constexpr base::Setting kBatchSentences{"the number of sentences in a batch"};
inline constexpr base::Setting kSeed{"the random seed"};
inline constexpr base::Setting kResetData{"resetting the position in the data"};
inline constexpr base::Setting kInitialWeights{"the initial weights of a new run"};
inline constexpr base::Setting kExtendVocabulary{"extending the vocabulary"};
inline constexpr base::Setting kQuantize{"training for 8-bit products"};
inline constexpr base::Setting kFrozen{"the list of frozen parameters"};
inline constexpr base::Setting kLearningRate{"the learning rate"};
inline constexpr base::Setting kClipNorm{"a maximum gradient norm"};

}  // namespace awend::train
