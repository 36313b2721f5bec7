// Sums the gradients of an update over all ranks while the backward pass computes them.
//
// Test: tests/cli/train_ranks.sh.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "nn/gradient_slices.hpp"
#include "train/ranks/ranks.hpp"

namespace awend::train {

class SharedGradients {
 public:
  /// As nn::GradientSlices; the ranks must outlive the object too.
  SharedGradients(Ranks& ranks, nn::Program& program, const nn::Parameters& parameters)
      : ranks_(ranks), slices_(program, parameters) {}

  /// Runs the program once, and calls `meanwhile` when it was submitted; then the gradients on the
  /// device are the sums over all ranks.
  void replay(const std::function<void()>& meanwhile);
  /// The same on a rank without a pass.
  void add_nothing();

 private:
  void sum();
  bool advance() const;

  Ranks& ranks_;
  nn::GradientSlices slices_;
  std::vector<std::unique_ptr<Sum>> sums_;  // by slice
};

}  // namespace awend::train
