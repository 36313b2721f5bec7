// Layer normalization on the CPU; the formulas are in shaders/op_layer_norm.comp.
//
// Sums over a row have a fixed number of partial sums (host/sums-inl.h), so that the results of all
// instruction sets with fused multiply-add are the same.  Test: tests/kernels/rows_test.cpp.
#pragma once

#include <cstddef>

#include "host/store.hpp"
#include "host/thread_pool.hpp"

namespace awend::host {

struct LayerNorm {
  std::size_t rows;
  std::size_t columns;  ///< A multiple of 4.
  float epsilon;        ///< Added to the variance.
  const float* x;       ///< (rows, columns)
  const float* gain;    ///< (columns)
  const float* bias;    ///< (columns)
  float* y;             ///< (rows, columns)
  float* moments;       ///< (rows, 2): mean and 1/σ
};
void layer_norm(ThreadPool& pool, const LayerNorm& norm);

/// The gradient of the input.
struct LayerNormBackward {
  std::size_t rows;
  std::size_t columns;
  const float* x;
  const float* gain;
  const float* dy;       ///< (rows, columns)
  const float* moments;  ///< Of layer_norm().
  float* dx;             ///< (rows, columns)
  Store store;
};
void layer_norm_backward(ThreadPool& pool, const LayerNormBackward& norm);

}  // namespace awend::host
