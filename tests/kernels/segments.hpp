// Rows grouped by a key as inputs of a test of one operation.
#pragma once

#include <map>
#include <vector>

#include "tests/kernels/bench.hpp"
#include "tests/reference/embedding.hpp"

namespace awend::tests {

/// Rows grouped by key, ascending, as in batch::PackedBatch.
inline nn::Segments given_segments(Bench& bench, const std::vector<std::uint32_t>& keys) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> rows_of;
  for (std::uint32_t row = 0; row < keys.size(); ++row) {
    if (keys[row] != reference::kNoToken) rows_of[keys[row]].push_back(row);
  }
  std::vector<std::uint32_t> distinct, begins = {0}, rows;
  for (const auto& [key, of_key] : rows_of) {
    distinct.push_back(key);
    rows.insert(rows.end(), of_key.begin(), of_key.end());
    begins.push_back(static_cast<std::uint32_t>(rows.size()));
  }
  const auto capacity = static_cast<std::uint32_t>(keys.size());
  const nn::Count count = bench.program.count(capacity);
  bench.set_rows(count, distinct.size());
  return {.count = count,
          .keys = bench.given_words(count, 1, distinct),
          .begins = bench.given_words(bench.program.fixed(capacity + 1), 1, begins),
          .rows = bench.given_words(bench.program.fixed(capacity), 1, rows)};
}

}  // namespace awend::tests
