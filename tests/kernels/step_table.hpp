// The table and counts of recurrent steps, computed by the test.
#pragma once

#include <algorithm>
#include <numeric>

#include "nn/recurrent/steps.hpp"
#include "tests/kernels/bench.hpp"
#include "tests/reference/recurrent.hpp"

namespace awend::tests {

struct StepTable {
  std::vector<std::size_t> order;      // by rank, the sentence
  std::vector<std::uint32_t> lengths;  // by rank
  std::vector<std::uint32_t> rows;     // by step and rank
};

inline StepTable step_table(const std::vector<std::size_t>& begins,
                            reference::Direction direction) {
  const bool reverse = direction == reference::Direction::kReverse;
  StepTable table;
  table.order.resize(begins.size() - 1);
  std::iota(table.order.begin(), table.order.end(), std::size_t{0});
  const auto length = [&](std::size_t s) { return begins[s + 1] - begins[s]; };
  std::stable_sort(table.order.begin(), table.order.end(),
                   [&](std::size_t a, std::size_t b) { return length(a) > length(b); });
  for (const std::size_t s : table.order)
    table.lengths.push_back(static_cast<std::uint32_t>(length(s)));
  for (std::size_t t = 0; t < length(table.order.front()); ++t) {
    for (const std::size_t s : table.order) {
      if (length(s) <= t) continue;
      table.rows.push_back(
          static_cast<std::uint32_t>(reverse ? begins[s + 1] - 1 - t : begins[s] + t));
    }
  }
  return table;
}

/// The rows of `states` (sentences, columns) by rank.
inline Matrix by_rank(const Matrix& states, const std::vector<std::size_t>& order) {
  Matrix ranked(states.rows, states.columns);
  for (std::size_t rank = 0; rank < states.rows; ++rank) {
    for (std::size_t column = 0; column < states.columns; ++column)
      ranked(rank, column) = states(order[rank], column);
  }
  return ranked;
}

/// Steps in a program, two more than the longest sentence needs.
inline nn::Steps given_steps(Bench& bench, const nn::Count& rows, const StepTable& table) {
  auto steps = nn::declare_steps(bench.program, rows, table.lengths.front() + 2);
  steps.table = bench.given_words(bench.program.fixed(rows.capacity), 1, table.rows);
  bench.before_replay(
      [&bench, steps, table] { nn::set_counts(bench.program, steps, table.lengths); });
  return steps;
}

}  // namespace awend::tests
