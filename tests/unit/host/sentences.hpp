// Sentences and rows for tests of functions of the host.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "tests/unit/host/sets.hpp"

namespace awend::host {

inline constexpr std::size_t kRows = 40;
inline constexpr std::size_t kWidths[] = {4, 12, 20, 36, 64};

inline std::vector<float> input(std::size_t columns, std::uint32_t seed) {
  return uniform_floats(kRows * columns, seed);
}

/// Ranges of kRows rows of 1 to 8 rows each.
inline std::vector<std::uint32_t> sentences() {
  std::vector<std::uint32_t> ranges;
  for (std::uint32_t first = 0, count = 1; first < kRows; first += count, count = count % 8 + 1) {
    ranges.push_back(first);
    ranges.push_back(std::min<std::uint32_t>(first + count, kRows));
  }
  return ranges;
}

inline std::vector<std::uint32_t> in_order() {
  std::vector<std::uint32_t> rows(kRows);
  std::iota(rows.begin(), rows.end(), 0U);
  return rows;
}

inline std::vector<float> joined(const std::vector<std::vector<float>>& parts) {
  std::vector<float> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace awend::host
