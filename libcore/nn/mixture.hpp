// What several models say together: one distribution over the vocabulary from one of each.
//
// Test: tests/kernels/mixture_test.cpp.
#pragma once

#include <span>
#include <vector>

#include "nn/decoding.hpp"

namespace awend::nn {

enum class Mixing {
  kLinear,  ///< Σ w p
  kLog,     ///< Π p^w; the softmax that comes later makes it sum to one
};

/// Logits of the mixture of the softmax of each model's logits, which are made one after the other
/// so that they share memory.
class Mixture {
 public:
  /// Of models in these shares, which are not negative and sum to one.
  Mixture(Mixing mixing, std::vector<double> weights);

  /// Appends the mixing of the next model's logits; all models have rows and vocabulary in common.
  /// One model is its own mixture, as it is.
  void add(Program& program, const Logits& logits);
  /// Requires: all models were added.
  const Logits& logits() const;

 private:
  Mixing mixing_;
  std::vector<double> weights_;
  std::size_t added_ = 0;
  Logits mixed_{};
};

}  // namespace awend::nn
