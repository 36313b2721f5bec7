// A check of matrix units before they are used: drivers have computed wrong results, so each kernel
// that uses them is compared with the portable one.  Test: tests/kernels/matrix_check_test.cpp.
#pragma once

#include <span>
#include <string>

#include "nn/program.hpp"

namespace awend::nn {

/// Whether results are finite and differ by no more than `tolerance` times the largest of
/// `portable`.
bool results_agree(std::span<const float> units, std::span<const float> portable, double tolerance);

/// Computes small products and an attention of `element` with and without matrix units, with all
/// cuts for this device.  If results differ, the engine does not use the units for that element any
/// more.  Returns a warning, empty if results agree or if there are no matrix units.
std::string check_matrix_units(Engine& engine, Element element);

}  // namespace awend::nn
