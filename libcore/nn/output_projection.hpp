// The product of a loss with the table of an output layer, and its gradients.  Test:
// tests/kernels/loss_test.cpp, tests/kernels/span_loss_test.cpp.
#pragma once

#include <optional>

#include "nn/graph.hpp"
#include "nn/loss.hpp"

namespace awend::nn {

class OutputProjection {
 public:
  /// Of `x`, on which the loss is the last operation.
  OutputProjection(Graph& graph, const Tensor& x, const OutputLayer& output);

  /// Rows of x · tableᵀ + bias, which begin at row `first`.
  void append_logits(std::uint32_t first, const Tensor& logits);
  /// In training, the gradients of these rows, of the table and of the bias from that of the
  /// logits.
  void append_gradients(std::uint32_t first, const Tensor& gradient);

 private:
  Graph& graph_;
  OutputLayer output_;
  RightOperand weights_;
  Tensor operand_;
  std::optional<Tensor> dx_, bias_row_;
};

}  // namespace awend::nn
