// Means of the rows of sentences, and copies of a row to those of its sentence; sentence s has the
// rows of ranges[s].
#pragma once

#include <utility>
#include <vector>

#include "tests/reference/matrix.hpp"

namespace awend::reference {

using Ranges = std::vector<std::pair<std::size_t, std::size_t>>;

inline Matrix mean_rows(const Matrix& x, const Ranges& ranges) {
  Matrix y(ranges.size(), x.columns);
  for (std::size_t s = 0; s < ranges.size(); ++s) {
    const auto [begin, end] = ranges[s];
    for (std::size_t row = begin; row < end; ++row) {
      for (std::size_t k = 0; k < x.columns; ++k)
        y(s, k) += x(row, k) / static_cast<double>(end - begin);
    }
  }
  return y;
}

/// The gradient of x (rows, columns).
inline Matrix mean_rows_backward(const Matrix& dy, const Ranges& ranges, std::size_t rows) {
  Matrix dx(rows, dy.columns);
  for (std::size_t s = 0; s < ranges.size(); ++s) {
    const auto [begin, end] = ranges[s];
    for (std::size_t row = begin; row < end; ++row) {
      for (std::size_t k = 0; k < dy.columns; ++k)
        dx(row, k) += dy(s, k) / static_cast<double>(end - begin);
    }
  }
  return dx;
}

/// (rows, columns)
inline Matrix repeat_rows(const Matrix& x, const Ranges& ranges, std::size_t rows) {
  Matrix y(rows, x.columns);
  for (std::size_t s = 0; s < ranges.size(); ++s) {
    const auto [begin, end] = ranges[s];
    for (std::size_t row = begin; row < end; ++row) {
      for (std::size_t k = 0; k < x.columns; ++k) y(row, k) = x(s, k);
    }
  }
  return y;
}

/// The gradient of x (sentences, columns).
inline Matrix repeat_rows_backward(const Matrix& dy, const Ranges& ranges) {
  Matrix dx(ranges.size(), dy.columns);
  for (std::size_t s = 0; s < ranges.size(); ++s) {
    const auto [begin, end] = ranges[s];
    for (std::size_t row = begin; row < end; ++row) {
      for (std::size_t k = 0; k < dy.columns; ++k) dx(s, k) += dy(row, k);
    }
  }
  return dx;
}

}  // namespace awend::reference
