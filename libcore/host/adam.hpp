// The optimizer on the CPU, over flat buffers whose number of floats is a multiple of 4; the
// formulas are in shaders/op_adam.comp, op_moving_average.comp and op_square_sum.comp.
// Test: tests/kernels/adam_test.cpp.
#pragma once

#include <cstddef>

#include "host/thread_pool.hpp"

namespace awend::host {

/// Pairs (Σ values², 0) of `groups` parts of the values, which have about the same size.
struct SquareSum {
  std::size_t count;
  std::size_t groups;
  const float* values;  ///< (count)
  float* partials;      ///< (groups, 2)
};
void square_sum(ThreadPool& pool, const SquareSum& sum);

struct Adam {
  std::size_t count;
  float beta1;
  float beta2;
  float epsilon;
  float shrink;  ///< Factor of the gradients.
  float rate;
  float decay;
  float correction1;  ///< 1 / (1 − β1^t)
  float correction2;
  float* x;          ///< (count), as the others
  float* gradients;  ///< Become 0.
  float* m;
  float* v;
};
void adam(ThreadPool& pool, const Adam& adam);

/// average += share · (x − average).
struct MovingAverage {
  std::size_t count;
  float share;
  const float* x;
  float* average;
};
void moving_average(ThreadPool& pool, const MovingAverage& average);

}  // namespace awend::host
