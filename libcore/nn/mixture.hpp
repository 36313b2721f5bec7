// A mixture of the distributions over the vocabulary of several models.
//
// Test: tests/kernels/mixture_test.cpp.
#pragma once

#include <span>
#include <vector>

#include "nn/decoding.hpp"
#include "nn/mixing.hpp"

namespace awend::nn {

/// The logits of a mixture.  The logits of the models are computed one after the other, so that
/// they share memory.
class Mixture {
 public:
  /// `weights` of the models are not negative and sum to one.
  Mixture(Mixing mixing, std::vector<double> weights);

  /// Appends the launches that add the logits of the next model; all models have the same rows and
  /// vocabulary.  For a single model, the logits are the mixture and nothing is launched.
  void add(Program& program, const Logits& logits);
  /// Requires: all models have been added.
  const Logits& logits() const;

 private:
  Mixing mixing_;
  std::vector<double> weights_;
  std::size_t added_ = 0;
  Logits mixed_{};
};

}  // namespace awend::nn
