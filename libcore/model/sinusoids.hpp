// The sinusoidal positions of the paper (section 3.5), and the layouts of other toolkits.  Test:
// tests/unit/model/config_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

namespace awend::model {

/// The columns of sines and cosines.  With n = columns / 2 frequencies, and i from 0 to n - 1:
enum class SinusoidLayout {
  kInterleaved,     ///< Sine in column 2i, cosine in 2i + 1 of position / 10000^(i / n).
  kHalves,          ///< The same sines in column i, cosines in n + i.
  kHalvesMinusOne,  ///< As kHalves, of position / 10000^(i / (n - 1)).
};

struct SinusoidTable {
  std::uint32_t rows;
  std::uint32_t columns;
  SinusoidLayout layout = SinusoidLayout::kInterleaved;
  std::uint32_t first = 0;  ///< Position of the first row.
};

/// (rows, columns), row-major.  Only kInterleaved has an odd number of columns.
std::vector<float> sinusoids(const SinusoidTable& table);
/// The table of the paper.
inline std::vector<float> sinusoids(std::uint32_t rows, std::uint32_t columns) {
  return sinusoids({.rows = rows, .columns = columns});
}

}  // namespace awend::model
