// Activation functions as kernels of their own.  The ReLU is part of the matrix product before it.
#include "nn/activation.hpp"

#include "base/error.hpp"
#include "nn/graph.hpp"
#include "nn/operations.hpp"
#include "shaders/op_activation.h"

namespace awend::nn {
namespace {

constexpr bool has_number(Activation activation, std::uint32_t number) {
  return static_cast<std::uint32_t>(activation) == number;
}
static_assert(has_number(Activation::kNone, ACTIVATION_NONE) &&
              has_number(Activation::kRelu, ACTIVATION_RELU) &&
              has_number(Activation::kGelu, ACTIVATION_GELU) &&
              has_number(Activation::kSwish, ACTIVATION_SWISH) &&
              has_number(Activation::kSigmoid, ACTIVATION_SIGMOID) &&
              has_number(Activation::kTanh, ACTIVATION_TANH) &&
              has_number(Activation::kGeluTanh, ACTIVATION_GELU_TANH) &&
              has_number(Activation::kGeluSigmoid, ACTIVATION_GELU_SIGMOID));

}  // namespace

Tensor activate(Graph& graph, const Tensor& z, Activation activation) {
  base::check(activation != Activation::kNone && activation != Activation::kRelu,
              "none and relu are computed by the matrix product");
  Program& program = graph.program();
  const auto function = static_cast<std::uint32_t>(activation);
  const Tensor y = program.activation(z.rows, z.columns);
  program.launch(ActivationLaunch{.constants = {.columns = z.columns, .function = function},
                                  .operands = {.z = z, .y = y},
                                  .push = {.rows_count = z.rows.word},
                                  .x = Axis::rows(z.rows, ROWS_PER_GROUP)});
  graph.tape([=, &graph, &program] {
    const auto dy = graph.gradient(y);
    if (!dy) return;
    const auto dz = graph.gradient_target(z);
    program.launch(ActivationBackwardLaunch{
        .constants = {.columns = z.columns, .function = function, .add = dz.adds},
        .operands = {.z = z, .dy = *dy, .dz = dz.tensor},
        .push = {.rows_count = z.rows.word},
        .x = Axis::rows(z.rows, ROWS_PER_GROUP)});
  });
  return y;
}

}  // namespace awend::nn
