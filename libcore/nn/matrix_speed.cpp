#include "nn/matrix_speed.hpp"

#include <algorithm>
#include <vector>

#include "nn/matmul/matrix.hpp"
#include "nn/matmul/portable.hpp"
#include "nn/narrow.hpp"

namespace awend::nn {
namespace {

// Large enough for the tiles that matter; a slow GPU of 0.3 TFLOP/s takes a millisecond for each.
constexpr std::uint32_t kSide = 512;
// The first replay includes delays of the driver.
constexpr int kReplays = 4;

/// The sum over launches of their shortest times.
ProductTimes sum_of(const std::vector<std::vector<vulkan::Timed>>& replays) {
  ProductTimes times{};
  for (std::size_t i = 0; i < replays.front().size(); ++i) {
    double shortest = replays.front()[i].nanoseconds;
    for (const auto& replay : replays) shortest = std::min(shortest, replay[i].nanoseconds);
    const std::string& kernel = replays.front()[i].kernel;
    if (kernel.starts_with("matmul_matrix")) {
      times.units += shortest * 1e-9;
    } else if (kernel.starts_with("matmul")) {
      times.portable += shortest * 1e-9;
    }
  }
  return times;
}

}  // namespace

std::optional<ProductTimes> measure_matrix_units(Engine& engine, Element element) {
  const auto kind = element == Element::kFloat16 ? vulkan::MatrixElement::kFloat16
                                                 : vulkan::MatrixElement::kBfloat16;
  const auto& limits = engine.limits();
  if (element == Element::kFloat32 || matrix_cuts(limits, kind, Form::kNN).empty() ||
      limits.timestamp_period_ns == 0) {
    return std::nullopt;
  }
  Program program(engine);
  const Count rows = program.fixed(kSide);
  const Tensor zeros = program.input(rows, kSide);
  const Tensor operand = program.activation(rows, kSide, element);
  narrow(program, zeros, operand);
  for (const Form form : {Form::kNN, Form::kNT, Form::kTN}) {
    Product product{.form = form, .a = operand, .b = operand, .c = {}, .bias = std::nullopt};
    product.c = program.activation(rows, kSide);
    matrix_matmul(program, product);
    product.c = program.activation(rows, kSide);
    portable_matmul(program, product);
  }
  program.compile(vulkan::Timing::kOn);
  std::ranges::fill(program.host<float>(zeros), 0.0f);
  std::vector<std::vector<vulkan::Timed>> replays;
  for (int i = 0; i < kReplays; ++i) {
    program.replay();
    replays.push_back(program.timings());
  }
  return sum_of(replays);
}

}  // namespace awend::nn
