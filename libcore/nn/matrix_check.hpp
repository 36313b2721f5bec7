// A check of matrix units before they are used: drivers have computed wrong results, so each kernel
// that uses them is compared with the portable one; and drivers list shapes without having units.
// Test: tests/kernels/matrix_check_test.cpp.
#pragma once

#include <span>
#include <string>

#include "nn/program.hpp"

namespace awend::nn {

/// Whether results are finite and differ by no more than `tolerance` times the largest of
/// `portable`.
bool results_agree(std::span<const float> units, std::span<const float> portable, double tolerance);

/// Messages of a check, empty if there is nothing to report.
struct MatrixCheck {
  std::string warning;  ///< Results are wrong.
  std::string note;     ///< The speed, or why it was not measured.
};

/// Computes small products and an attention of `element` with and without matrix units, with all
/// cuts for this device, and unless the device is a CPU, measures products (nn/matrix_speed.hpp).
/// If results differ, or if the units are slower, the engine does not use the units for that
/// element any more.
MatrixCheck check_matrix_units(Engine& engine, Element element);

}  // namespace awend::nn
