// Activation functions on the CPU; the formulas are in shaders/op_activation.comp.
// Test: tests/kernels/activation_test.cpp.
#pragma once

#include <cstddef>

#include "host/store.hpp"
#include "host/thread_pool.hpp"

namespace awend::host {

enum class Function { kGelu, kSwish, kSigmoid, kTanh };

/// y = f(z).
struct Activation {
  std::size_t rows;
  std::size_t columns;  ///< A multiple of 4.
  Function function;
  const float* z;  ///< (rows, columns)
  float* y;        ///< (rows, columns)
};
void activate(ThreadPool& pool, const Activation& activation);

/// dz = dy f'(z).
struct ActivationBackward {
  std::size_t rows;
  std::size_t columns;
  Function function;
  const float* z;   ///< (rows, columns)
  const float* dy;  ///< (rows, columns)
  float* dz;        ///< (rows, columns)
  Store store;
};
void activate_backward(ThreadPool& pool, const ActivationBackward& backward);

/// dy becomes 0 where y, a result of the ReLU, is 0.
struct ReluBackward {
  std::size_t rows;
  std::size_t columns;
  const float* y;  ///< (rows, columns)
  float* dy;       ///< (rows, columns)
};
void relu_backward(ThreadPool& pool, const ReluBackward& backward);

}  // namespace awend::host
