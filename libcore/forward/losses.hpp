// Losses of batches.
#pragma once

#include <cstdint>

namespace awend::forward {

/// Sums over tokens, so that the losses of batches can be added.
struct Losses {
  double smoothed = 0;
  double negative_log_likelihood = 0;
  std::uint64_t tokens = 0;  ///< Of the target, ends of sentences included.

  Losses& operator+=(const Losses& other);
  /// Mean smoothed loss of a token.
  double loss() const { return smoothed / static_cast<double>(tokens); }
  double perplexity() const;
};

}  // namespace awend::forward
