#include "nn/matrix_check.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/error.hpp"
#include "base/random.hpp"
#include "nn/attention/matrix.hpp"
#include "nn/gpu.hpp"
#include "nn/graph.hpp"
#include "nn/matmul/matrix.hpp"
#include "nn/matmul/portable.hpp"
#include "nn/matrix_speed.hpp"
#include "nn/narrow.hpp"
#include "shaders/op_residual.h"

namespace awend::nn {
namespace {

// Products of 16-bit numbers are exact in fp32, only their sums are rounded; units may drop a few
// bits of each addend.  Attention also rounds its weights to 16 bits.
constexpr double kSumTolerance = 2e-3;
constexpr double kWeightTolerance = 2e-2;

/// A tensor computed on matrix units and by the portable kernel.
struct Pair {
  Tensor units;
  Tensor portable;
};

bool agree(const Program& program, const Pair& pair, double tolerance) {
  return results_agree(program.host<float>(pair.units), program.host<float>(pair.portable),
                       tolerance);
}

/// Numbers in (−1, 1) that are exact in 16 bits.
void fill(const Program& program, const Tensor& tensor, Element element, std::uint64_t seed) {
  base::Random random(seed);
  for (float& value : program.host<float>(tensor)) {
    const float wide = static_cast<float>(random.below(2001)) / 1000.0f - 1.0f;
    value = widen(narrow(wide, element), element);
  }
}

/// Odd sizes, so that tiles at the edges are compared too.
bool products_agree(Engine& engine, Element element) {
  constexpr std::uint32_t kRows = 83, kInner = 72, kColumns = 136;
  Program program(engine);
  const Count rows = program.fixed(kRows);
  std::vector<Tensor> inputs;
  const auto given = [&](const Count& count, std::uint32_t columns) {
    inputs.push_back(program.input(count, columns));
    const Tensor narrowed = program.activation(count, columns, element);
    narrow(program, inputs.back(), narrowed);
    return narrowed;
  };
  const Tensor x = given(rows, kInner);
  const Tensor w = given(program.fixed(kInner), kColumns);
  const Tensor dy = given(rows, kColumns);
  std::vector<Pair> pairs;
  const auto compare = [&](Product product, const Count& c_rows, std::uint32_t columns) {
    product.c = program.output(c_rows, columns);
    portable_matmul(program, product);
    const Tensor portable = product.c;
    const auto kind = element == Element::kFloat16 ? vulkan::MatrixElement::kFloat16
                                                   : vulkan::MatrixElement::kBfloat16;
    for (const auto& cut : matrix_cuts(engine.limits(), kind, product.form)) {
      product.c = program.output(c_rows, columns);
      matrix_matmul(program, cut, product);
      pairs.push_back({product.c, portable});
    }
  };
  compare({.form = Form::kNN, .a = x, .b = w, .c = {}, .bias = std::nullopt}, rows, kColumns);
  compare({.form = Form::kNT, .a = dy, .b = w, .c = {}, .bias = std::nullopt}, rows, kInner);
  compare({.form = Form::kTN, .a = x, .b = dy, .c = {}, .bias = std::nullopt},
          program.fixed(kInner), kColumns);
  program.compile();
  for (std::size_t i = 0; i < inputs.size(); ++i) fill(program, inputs[i], element, i);
  program.replay();
  return std::ranges::all_of(pairs,
                             [&](const Pair& pair) { return agree(program, pair, kSumTolerance); });
}

/// Attention over one sentence of a few blocks, forward and backward.
bool attention_agrees(Engine& engine, Element element) {
  constexpr AttentionShape kShape{.heads = 1, .d_k = 64, .d_v = 64, .dropout = 0};
  constexpr std::uint32_t kRows = 83;
  const auto cut = matrix_attention_cut(engine.limits(), element, kShape);
  if (!cut) return true;
  Program program(engine);
  Parameters none;
  none.allocate(engine, Use::kTraining, element);
  const Count rows = program.fixed(kRows);
  const auto columns = [&] { return program.input(rows, kShape.heads * kShape.d_k); };
  const Projections projections{columns(), columns(), columns()};
  const Tensor dy = columns();
  const Tensor ranges = program.input(rows, 2);
  std::vector<Pair> pairs(4);
  std::vector<Tensor> scalars;
  const auto run = [&](const auto& attend, Tensor Pair::*side) {
    Graph graph(program, none, Mode::kTraining);
    const auto copy = [&](const Tensor& from, Pair& pair) {
      pair.*side = program.output(from.rows, from.columns);
      const Tensor to = pair.*side;
      program.launch(ResidualLaunch{
          .constants = {.columns = from.columns, .has_x = 0, .add_x = 0, .add_a = 0, .drops = 0},
          .operands = {.step = graph.step_scalars(), .x = from, .a = from, .y = to},
          .push = {.rows_count = from.rows.word, .dropout_id = 0, .threshold = 0, .scale = 1.0f},
          .x = Axis::rows(from.rows, ROWS_PER_GROUP)});
    };
    const Tensor y = attend(graph);
    copy(y, pairs[0]);
    graph.seed_gradient(y, dy);
    graph.derive_backward();
    copy(*graph.gradient(projections.q), pairs[1]);
    copy(*graph.gradient(projections.k), pairs[2]);
    copy(*graph.gradient(projections.v), pairs[3]);
    scalars.push_back(graph.step_scalars());
  };
  const AttentionRanges all_keys{ranges, ranges};
  run(
      [&](Graph& graph) {
        return attention_by(matrix_attention_kernels(*cut), graph, projections, all_keys, kShape);
      },
      &Pair::units);
  run([&](Graph& graph) { return portable_attention(graph, projections, all_keys, kShape); },
      &Pair::portable);
  program.compile();
  fill(program, projections.q, element, 1);
  fill(program, projections.k, element, 2);
  fill(program, projections.v, element, 3);
  fill(program, dy, element, 4);
  const auto words = program.host<std::uint32_t>(ranges);
  for (std::uint32_t row = 0; row < kRows; ++row) {
    words[2 * row] = 0;
    words[2 * row + 1] = kRows;
  }
  for (const Tensor& tensor : scalars) program.host<StepScalars>(tensor)[0] = {};
  program.replay();
  return std::ranges::all_of(
      pairs, [&](const Pair& pair) { return agree(program, pair, kWeightTolerance); });
}

}  // namespace

bool results_agree(std::span<const float> units, std::span<const float> portable,
                   double tolerance) {
  double largest = 0;
  double difference = 0;
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (!std::isfinite(units[i])) return false;
    largest = std::max(largest, std::abs(double{portable[i]}));
    difference = std::max(difference, std::abs(double{units[i]} - portable[i]));
  }
  return difference <= tolerance * largest;
}

namespace {

std::string speed_text(const ProductTimes& times, Element element) {
  const double ratio = times.portable / times.units;
  return base::concat("matrix units in ", name_of(element), ": ", std::lround(ratio * 10) / 10.0,
                      " times as fast as other kernels", ratio < 1 ? ", not used" : "");
}

}  // namespace

MatrixCheck check_matrix_units(Engine& engine, Element element) {
  if (element == Element::kFloat32) return {};
  const auto kind = element == Element::kFloat16 ? vulkan::MatrixElement::kFloat16
                                                 : vulkan::MatrixElement::kBfloat16;
  if (matrix_cuts(engine.limits(), kind, Form::kNN).empty()) return {};
  const bool products = products_agree(engine, element);
  if (!products || !attention_agrees(engine, element)) {
    engine.gpu().device.disable_matrix_units(kind);
    return {.warning = base::concat(
                engine.name(), ": matrix units compute wrong ", products ? "attention" : "products",
                " in ", name_of(element),
                " and will not be used (AWEND_MATRIX=0 disables them without this check)"),
            .note = ""};
  }
  if (engine.limits().on_cpu) return {};
  const auto times = measure_matrix_units(engine, element);
  if (!times) return {.warning = "", .note = "matrix units: no timestamps to measure their speed"};
  if (times->units > times->portable) engine.gpu().device.disable_matrix_units(kind);
  return {.warning = "", .note = speed_text(*times, element)};
}

}  // namespace awend::nn
