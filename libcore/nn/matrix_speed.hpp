// The speed of matrix units: drivers also list shapes that they compute without units, slower than
// other kernels do.  Test: tests/kernels/matrix_speed_test.cpp.
#pragma once

#include <optional>

#include "nn/program.hpp"

namespace awend::nn {

/// Seconds of the same products of `element` matrices, in all forms.
struct ProductTimes {
  double units;
  double portable;
};

/// Measures products of medium size, which takes milliseconds; nullopt if the device has no matrix
/// units for `element`, or no timestamps.
std::optional<ProductTimes> measure_matrix_units(Engine& engine, Element element);

}  // namespace awend::nn
