// Activation functions as kernels of their own.  The ReLU is part of the matrix product before it.
#include "nn/activation.hpp"

#include <array>
#include <utility>

#include "base/error.hpp"
#include "nn/operations.hpp"
#include "shaders/op_activation.h"

namespace awend::nn {
namespace {

constexpr std::array<std::pair<Activation, std::string_view>, 6> kNames = {
    {{Activation::kNone, "none"},
     {Activation::kRelu, "relu"},
     {Activation::kGelu, "gelu"},
     {Activation::kSwish, "swish"},
     {Activation::kSigmoid, "sigmoid"},
     {Activation::kTanh, "tanh"}}};

}  // namespace

std::string_view name_of(Activation activation) {
  for (const auto& [value, name] : kNames) {
    if (value == activation) return name;
  }
  base::fail("unknown activation ", static_cast<std::uint32_t>(activation));
}

Activation parse_activation(std::string_view name) {
  std::string names;
  for (const auto& [value, known] : kNames) {
    if (known == name) return value;
    names += base::concat(names.empty() ? "" : ", ", known);
  }
  base::fail("unknown activation '", name, "' (known: ", names, ")");
}

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
