// Simpler simple recurrent units on the device compared with the reference, forward and backward.
#include "nn/recurrent/ssru.hpp"

#include "tests/kernels/bench.hpp"
#include "tests/reference/ssru.hpp"

namespace awend::tests {
namespace {

reference::Ssru unit_of(const std::vector<std::size_t>& lengths, std::size_t size) {
  reference::Ssru unit{{0}, {}, {}, {}};
  for (const std::size_t length : lengths) unit.begins.push_back(unit.begins.back() + length);
  unit.candidate = noise(unit.begins.back(), size, 1);
  unit.forget = noise(unit.begins.back(), size, 2);
  for (double& value : unit.forget.values) value *= 5;
  return unit;
}

std::vector<std::uint32_t> ranges_of(const reference::Ssru& unit) {
  std::vector<std::uint32_t> ranges;
  for (std::size_t s = 0; s + 1 < unit.begins.size(); ++s) {
    ranges.push_back(static_cast<std::uint32_t>(unit.begins[s]));
    ranges.push_back(static_cast<std::uint32_t>(unit.begins[s + 1]));
  }
  return ranges;
}

/// A unit as inputs of a bench.
nn::SsruInputs given(Bench& bench, const reference::Ssru& unit) {
  const std::size_t rows = unit.begins.back(), sentences = unit.begins.size() - 1;
  const auto count = bench.program.count(static_cast<std::uint32_t>(rows + 5));
  const auto of_sentences = bench.program.count(static_cast<std::uint32_t>(sentences + 3));
  bench.set_rows(count, rows);
  bench.set_rows(of_sentences, sentences);
  return {.ranges = bench.given_words(of_sentences, 2, ranges_of(unit)),
          .candidate = bench.given(count, unit.candidate),
          .forget = bench.given(count, unit.forget)};
}

void check(const std::vector<std::size_t>& lengths, std::size_t size) {
  CAPTURE(lengths.size(), size);
  const auto unit = unit_of(lengths, size);
  const std::size_t rows = unit.begins.back();
  const Matrix dy = noise(rows, size, 3);
  Bench bench;
  bench.allocate();
  const auto inputs = given(bench, unit);
  const auto made = nn::ssru(bench.graph, inputs);
  const auto y = bench.observe(made.outputs), states = bench.observe(*made.states);
  bench.seed_gradient(made.outputs, dy);
  bench.graph.derive_backward();
  const auto dcandidate = bench.observe_gradient(inputs.candidate),
             dforget = bench.observe_gradient(inputs.forget);
  bench.run();
  const auto expected = reference::ssru(unit);
  const auto gradient = reference::ssru_backward(unit, expected, dy);
  require_close(bench.read(y, rows), expected.outputs);
  require_close(bench.read(states, rows), expected.states);
  require_close(bench.read(dcandidate, rows), gradient.candidate);
  require_close(bench.read(dforget, rows), gradient.forget);
}

}  // namespace

TEST_CASE("simpler simple recurrent units equal the reference, forward and backward") {
  check({1}, 4);
  check({3, 1, 6, 6, 2}, 36);
  check({2, 11, 5, 1, 1, 9, 4}, 20);
  check({70}, 132);
}

TEST_CASE("simpler simple recurrent units continue from given states") {
  auto unit = unit_of({1, 4, 1, 2}, 28);
  unit.initial = noise(4, 28, 4);
  Bench bench(nn::Mode::kInference);
  bench.allocate();
  auto inputs = given(bench, unit);
  inputs.initial = bench.given(inputs.ranges.rows, unit.initial);
  inputs.result = nn::SsruInputs::States::kOutput;
  const auto made = nn::ssru(bench.graph, inputs);
  const auto y = bench.observe(made.outputs), states = bench.observe(*made.states);
  inputs.result = nn::SsruInputs::States::kInternal;
  const auto without_states = nn::ssru(bench.graph, inputs);
  CHECK(!without_states.states.has_value());
  const auto same_y = bench.observe(without_states.outputs);
  bench.run();
  const auto expected = reference::ssru(unit);
  require_close(bench.read(y, 8), expected.outputs);
  require_close(bench.read(states, 8), expected.states);
  CHECK(bench.read(same_y, 8).values == bench.read(y, 8).values);
}

}  // namespace awend::tests
