// Maxout units of two neighboring inputs each, and their gradient.
#pragma once

#include <algorithm>

#include "tests/reference/matrix.hpp"

namespace awend::reference {

inline Matrix maxout(const Matrix& z) {
  Matrix y(z.rows, z.columns / 2);
  for (std::size_t i = 0; i < y.rows; ++i) {
    for (std::size_t k = 0; k < y.columns; ++k) y(i, k) = std::max(z(i, 2 * k), z(i, 2 * k + 1));
  }
  return y;
}

/// Of equal inputs, the first has the gradient.
inline Matrix maxout_backward(const Matrix& z, const Matrix& dy) {
  Matrix dz(z.rows, z.columns);
  for (std::size_t i = 0; i < dy.rows; ++i) {
    for (std::size_t k = 0; k < dy.columns; ++k)
      dz(i, z(i, 2 * k + 1) > z(i, 2 * k) ? 2 * k + 1 : 2 * k) = dy(i, k);
  }
  return dz;
}

}  // namespace awend::reference
