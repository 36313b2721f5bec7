// The residual connection with dropout on the CPU; the formulas are in shaders/op_residual.comp.
// Test: tests/kernels/rows_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "host/dropout.hpp"
#include "host/store.hpp"
#include "host/thread_pool.hpp"

namespace awend::host {

/// y = x + dropout(a), or dropout(a) without x.
struct Residual {
  std::size_t rows;
  std::size_t columns;  ///< A multiple of 4.
  std::uint32_t first;  ///< Index of the first row in the whole update.
  std::optional<Dropout> dropout;
  const float* x;  ///< (rows, columns) or null
  const float* a;  ///< (rows, columns)
  float* y;        ///< (rows, columns)
};
void residual(ThreadPool& pool, const Residual& residual);

/// The gradients: dx = dy and da = dropout(dy) with the same mask.
struct ResidualBackward {
  std::size_t rows;
  std::size_t columns;
  std::uint32_t first;
  std::optional<Dropout> dropout;
  const float* dy;  ///< (rows, columns)
  float* dx;        ///< (rows, columns) or null
  float* da;        ///< (rows, columns); may be dx
  Store store_x;
  Store store_a;
};
void residual_backward(ThreadPool& pool, const ResidualBackward& backward);

}  // namespace awend::host
