// What the optimizers on the CPU have in common: the norm of the gradients, and flat buffers.
// Test: tests/kernels/adam_test.cpp, tests/kernels/sgd_test.cpp.
#pragma once

#include <cmath>
#include <cstddef>

#include "host/rows.hpp"

namespace awend::host {

/// Calls body(begin, end) for parts of [0, count) floats, which begin at multiples of 4.
template <class Body>
void for_floats(ThreadPool& pool, std::size_t count, const Body& body) {
  for_rows(pool, count / 4, 4,
           [&](std::size_t begin, std::size_t end) { body(4 * begin, 4 * end); });
}

/// The norm of the gradients without the loss scale.
template <class Arguments>
float norm_of(const Arguments& arguments) {
  return std::sqrt(arguments.squared_norm[0]) * arguments.step->gradient_scale;
}

/// Whether parameters change; false for NaN as well.
inline bool is_finite(float norm) {
  return norm < 3.0e38F;
}

/// The factor that removes the loss scale from the gradients and clips them.
template <class Arguments>
float gradient_factor(const Arguments& arguments) {
  const float norm = norm_of(arguments), clip = arguments.step->clip_norm;
  return (clip > 0 && norm > clip ? clip / norm : 1) * arguments.step->gradient_scale;
}

}  // namespace awend::host
