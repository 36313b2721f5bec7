// The one door to OpenBLAS, the rival of our matrix products; where it was not found when the bench
// was built, blas_name() is empty and nothing else is called.
#pragma once

#include <cstdint>
#include <string>

#include "nn/matmul.hpp"

namespace awend::bench {

/// A product as nn::Form writes it: a is (rows, inner), c (rows, columns); in the TN form c is
/// (inner, columns) and rows are summed over.
struct Shape {
  nn::Form form;
  std::uint32_t rows;
  std::uint32_t inner;
  std::uint32_t columns;

  double flops() const { return 2.0 * rows * inner * columns; }
  std::uint32_t b_rows() const {
    if (form == nn::Form::kTN) return rows;
    return form == nn::Form::kNN ? inner : columns;
  }
  std::uint32_t b_columns() const { return form == nn::Form::kNT ? inner : columns; }
  std::uint32_t c_rows() const { return form == nn::Form::kTN ? inner : rows; }
};

/// Version and kind of processor, or an empty text.
std::string blas_name();
void set_blas_threads(unsigned threads);
void blas(const Shape& shape, const float* a, const float* b, float* c);

/// Waits until OpenBLAS' threads, which look for more work for a while after a call, sleep and
/// leave the cores to others.
void rest_after_blas();

}  // namespace awend::bench
