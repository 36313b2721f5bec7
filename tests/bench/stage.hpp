// One program for an operation or two, forward and backward, timed kernel by kernel by the device's
// own clock.
#pragma once

#include <utility>
#include <vector>

#include "nn/graph.hpp"
#include "nn/operations.hpp"
#include "nn/shader_types.hpp"
#include "tests/bench/bench.hpp"

namespace awend::bench {

class Stage {
 public:
  /// Tensors are taken from the first of `numbers` on.
  Stage(nn::Engine& engine, Numbers& numbers)
      : program(engine), graph(program, parameters, nn::Mode::kTraining), numbers_(numbers) {
    numbers_.rewind();
    graph.step_scalars();
  }

  nn::Parameter parameter(std::uint32_t rows, std::uint32_t columns) {
    return parameters.add(base::concat("p", parameters.size()), rows, columns,
                          nn::Initializer::kGlorotUniform);
  }
  /// After the last parameter and before the first operation.
  void allocate() {
    parameters.allocate(program.engine(), nn::Use::kTraining);
    parameters.initialize(1);
  }
  nn::Tensor noise(std::uint32_t rows, std::uint32_t columns) {
    return numbers_.take(program, rows, columns);
  }
  /// An input that holds `words` once the program is compiled.
  nn::Tensor given(std::uint32_t columns, std::vector<std::uint32_t> words) {
    const auto rows = static_cast<std::uint32_t>(words.size()) / columns;
    words_.emplace_back(program.input(program.fixed(rows), columns), std::move(words));
    return words_.back().first;
  }
  /// Appends the backward pass, from noise as the gradient of `y`.
  void differentiate(const nn::Tensor& y) {
    graph.seed_gradient(y, noise(y.rows.capacity, y.columns));
    graph.derive_backward();
  }
  void compile() {
    program.compile(vulkan::Timing::kOn);
    for (const auto& [tensor, words] : words_)
      std::copy(words.begin(), words.end(), program.host<std::uint32_t>(tensor).begin());
    program.host<nn::StepScalars>(graph.step_scalars())[0] = {};
  }

  nn::Parameters parameters;
  nn::Program program;
  nn::Graph graph;

 private:
  Numbers& numbers_;
  std::vector<std::pair<nn::Tensor, std::vector<std::uint32_t>>> words_;
};

/// Seconds that those kernels of the last replay took that `counts` is true for; unknown if there
/// is none.
double kernel_seconds(const nn::Program& program,
                      const std::function<bool(std::string_view)>& counts);

}  // namespace awend::bench
