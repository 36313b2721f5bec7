// Losses of batches.
#pragma once

#include <cstdint>

namespace awend::forward {

/// Sums over tokens, so that the losses of batches can be added.
struct Losses {
  double smoothed = 0;
  double negative_log_likelihood = 0;
  std::uint64_t tokens = 0;  ///< Of the target, ends of sentences included.
  double of_sentences = 0;   ///< −ln p of the classes of sentences, if the model predicts them.
  std::uint64_t sentences = 0;  ///< Those with a class.
  double of_alignments = 0;     ///< The cost of guided alignment times its weight.

  Losses& operator+=(const Losses& other);
  /// Mean smoothed loss of a token, with its part of the cost of alignments, plus the mean loss of
  /// a sentence.
  double loss() const;
  double perplexity() const;
};

}  // namespace awend::forward
