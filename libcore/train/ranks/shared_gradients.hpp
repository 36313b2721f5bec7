// The gradients of one update, summed over all ranks while the backward pass that makes them runs.
//
// Test: tests/cli/train_ranks.sh.
#pragma once

#include <memory>
#include <vector>

#include "nn/gradient_slices.hpp"
#include "train/ranks/ranks.hpp"

namespace awend::train {

class SharedGradients {
 public:
  /// As nn::GradientSlices; the ranks outlive the object too.
  SharedGradients(Ranks& ranks, nn::Program& program, const nn::Parameters& parameters)
      : ranks_(ranks), slices_(program, parameters) {}

  /// Runs the program once.  After it the gradients on the device are the sums over all ranks.
  void replay();
  /// The same of a rank that has nothing to run.
  void add_nothing();

 private:
  void sum();
  bool advance() const;

  Ranks& ranks_;
  nn::GradientSlices slices_;
  std::vector<std::unique_ptr<Sum>> sums_;  // by slice
};

}  // namespace awend::train
