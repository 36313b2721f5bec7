#include "nn/recurrent/steps.hpp"

#include <algorithm>
#include <bit>

#include "base/error.hpp"

namespace awend::nn {

Steps declare_steps(Program& program, const Count& rows, std::uint32_t longest) {
  Steps steps{program.input(program.fixed(rows.capacity), 1), {}};
  const std::uint32_t size = std::min(rows.capacity, longest);
  // A batch has at most rows / (t + 1) sentences with more than t tokens.
  for (std::uint32_t t = 0; t < size; ++t)
    steps.counts.push_back(program.count(rows.capacity / (t + 1)));
  return steps;
}

Steps with_own_table(Program& program, const Steps& steps) {
  return {program.input(steps.table.rows, 1), steps.counts};
}

Steps single_step(Program& program, const Count& rows) {
  std::vector<float> ascending(rows.capacity);
  for (std::uint32_t i = 0; i < rows.capacity; ++i) ascending[i] = std::bit_cast<float>(i);
  return {program.constant(1, std::move(ascending)), {rows}};
}

void set_counts(Program& program, const Steps& steps, std::span<const std::uint32_t> lengths) {
  if (!lengths.empty() && lengths.front() > steps.size()) {
    base::fail("a sentence has ", lengths.front(), " tokens; the model processes at most ",
               steps.size());
  }
  std::uint32_t first = 0;
  auto count = static_cast<std::uint32_t>(lengths.size());
  for (std::uint32_t t = 0; t < steps.size(); ++t) {
    while (count > 0 && lengths[count - 1] <= t) --count;
    program.set(steps.counts[t], count, first);
    first += count;
  }
}

}  // namespace awend::nn
