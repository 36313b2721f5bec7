// A test bench for one operation on a device: input matrices, the operation, output matrices and
// gradients.
//
// The device is AWEND_DEVICE or the best; ctest runs the tests on llvmpipe, and those without the
// tag [vulkan] on the processor, also by its portable code (AWEND_TEST_PORTABLE=1).
// AWEND_VALIDATION=1 enables the validation layer, and any message of it fails the run (see
// validation_test.cpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "host/product.hpp"
#include "nn/graph.hpp"
#include "nn/operations.hpp"
#include "nn/shader_types.hpp"
#include "shaders/op_residual.h"
#include "tests/catch.hpp"
#include "tests/reference/matrix.hpp"
#include "tests/shared_engine.hpp"

namespace awend::tests {

using reference::Matrix;

/// Allowed difference, relative to the largest value of the expected matrix.
inline constexpr double kFp32Tolerance = 2e-5;

inline nn::Engine& engine() {
  if (std::getenv("AWEND_TEST_PORTABLE") != nullptr)
    host::use_instruction_set(host::instruction_sets().back());
  return shared_engine();
}

inline void require_close(const Matrix& actual, const Matrix& expected,
                          double tolerance = kFp32Tolerance) {
  REQUIRE(actual.rows == expected.rows);
  REQUIRE(actual.columns == expected.columns);
  double largest = 1e-3;
  for (double value : expected.values) largest = std::max(largest, std::abs(value));
  for (std::size_t i = 0; i < expected.values.size(); ++i) {
    if (std::abs(actual.values[i] - expected.values[i]) <= tolerance * largest) continue;
    CAPTURE(i / expected.columns, i % expected.columns, actual.values[i], expected.values[i],
            largest);
    FAIL("values differ");
  }
}

/// A matrix of `rows` by `columns` of numbers in (-1, 1).
inline Matrix noise(std::size_t rows, std::size_t columns, std::uint64_t seed) {
  base::Random random(seed);
  return reference::random_matrix(rows, columns, random);
}

/// `matrix` rounded to `element`.
inline Matrix rounded(Matrix matrix, nn::Element element) {
  if (element == nn::Element::kFloat32) return matrix;
  for (double& value : matrix.values)
    value = nn::widen(nn::narrow(static_cast<float>(value), element), element);
  return matrix;
}

/// The launch of a kernel that copies `from` to `to`.
inline nn::Launch copy_of(const nn::Tensor& step, const nn::Tensor& from, const nn::Tensor& to) {
  return nn::ResidualLaunch{
      .constants = {.columns = from.columns, .has_x = 0, .add_x = 0, .add_a = 0, .drops = 0},
      .operands = {.step = step, .x = from, .a = from, .y = to},
      .push = {.rows_count = from.rows.word, .dropout_id = 0, .threshold = 0, .scale = 1.0f},
      .x = nn::Axis::rows(from.rows, ROWS_PER_GROUP)};
}

class Bench {
 public:
  explicit Bench(nn::Mode mode = nn::Mode::kTraining, nn::Engine& on = engine())
      : program(on), graph(program, parameters, mode), mode_(mode) {}

  nn::Parameter parameter(std::size_t rows, std::size_t columns) {
    return parameters.add(base::concat("p", parameters.size()), static_cast<std::uint32_t>(rows),
                          static_cast<std::uint32_t>(columns), nn::Initializer::kZero);
  }
  void allocate(nn::Element operands = nn::Element::kFloat32) {
    parameters.allocate(program.engine(),
                        mode_ == nn::Mode::kTraining ? nn::Use::kTraining : nn::Use::kInference,
                        operands);
  }
  void set(const nn::Parameter& parameter, const Matrix& values) {
    parameters.write(parameter, reference::to_floats(values));
  }
  Matrix gradient_of(const nn::Parameter& parameter) const {
    return reference::from_floats(parameters.read(parameter, nn::Parameters::Buffer::kGradients),
                                  parameter.rows, parameter.columns);
  }

  /// An input that contains `values` when the program runs.
  nn::Tensor given(const nn::Count& rows, const Matrix& values) {
    const nn::Tensor tensor = program.input(rows, static_cast<std::uint32_t>(values.columns));
    floats_.emplace_back(tensor, reference::to_floats(values));
    return tensor;
  }
  nn::Tensor given_words(const nn::Count& rows, std::uint32_t columns,
                         std::vector<std::uint32_t> words) {
    const nn::Tensor tensor = program.input(rows, columns);
    words_.emplace_back(tensor, std::move(words));
    return tensor;
  }
  /// Sets `dy` as the gradient of `y`.  Call after the operations and before run().
  void seed_gradient(const nn::Tensor& y, const Matrix& dy) {
    const nn::Tensor input = given(y.rows, dy);
    graph.tape([this, y, input] { copy(input, graph.gradient_target(y).tensor); });
  }
  /// A copy of `tensor` that the host can read after run().  Columns are a multiple of 4.
  nn::Tensor observe(const nn::Tensor& tensor) {
    const nn::Tensor output = program.output(tensor.rows, tensor.columns);
    copy(tensor, output);
    return output;
  }
  nn::Tensor observe_gradient(const nn::Tensor& tensor) {
    const auto gradient = graph.gradient(tensor);
    REQUIRE(gradient.has_value());
    return observe(*gradient);
  }
  void set_rows(const nn::Count& count, std::size_t rows) {
    rows_.emplace_back(count, static_cast<std::uint32_t>(rows));
  }

  /// Calls `action` before the program runs.
  void before_replay(std::function<void()> action) { actions_.push_back(std::move(action)); }

  nn::StepScalars& scalars() { return scalars_; }

  void run() {
    const nn::Tensor step = graph.step_scalars();
    program.compile();
    program.poison();
    for (const auto& [count, rows] : rows_) program.set(count, rows);
    for (const auto& [tensor, values] : floats_)
      std::copy(values.begin(), values.end(), program.host<float>(tensor).begin());
    for (const auto& [tensor, words] : words_)
      std::copy(words.begin(), words.end(), program.host<std::uint32_t>(tensor).begin());
    program.host<nn::StepScalars>(step)[0] = scalars_;
    for (const auto& action : actions_) action();
    program.replay();
  }
  /// Runs it once more, after run(), with new scalars.
  void run_again() {
    program.host<nn::StepScalars>(graph.step_scalars())[0] = scalars_;
    program.replay();
  }
  Matrix read(const nn::Tensor& output, std::size_t rows) const {
    const auto all = program.host<float>(output);
    return reference::from_floats(all.first(rows * output.columns), rows, output.columns);
  }

  nn::Parameters parameters;
  nn::Program program;
  nn::Graph graph;

 private:
  void copy(const nn::Tensor& from, const nn::Tensor& to) {
    program.launch(copy_of(graph.step_scalars(), from, to));
  }

  nn::Mode mode_;
  nn::StepScalars scalars_{.seed_low = 7,
                           .seed_high = 1,
                           .step = 3,
                           .loss_scale = 1,
                           .learning_rate = 0,
                           .moment1_correction = 1,
                           .moment2_correction = 1,
                           .clip_norm = 0,
                           .gradient_scale = 1,
                           .average_share = 0,
                           .unused = {}};
  std::vector<std::function<void()>> actions_;
  std::vector<std::pair<nn::Count, std::uint32_t>> rows_;
  std::vector<std::pair<nn::Tensor, std::vector<float>>> floats_;
  std::vector<std::pair<nn::Tensor, std::vector<std::uint32_t>>> words_;
};

}  // namespace awend::tests
