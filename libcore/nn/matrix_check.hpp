// Trust in matrix units: drivers have been wrong about them, so each kernel that uses them is
// compared with the portable one before it is relied on.
#pragma once

#include <span>
#include <string>

#include "nn/program.hpp"

namespace awend::nn {

/// Whether results are finite and differ by no more than `tolerance` times the largest of
/// `portable`.
bool results_agree(std::span<const float> units, std::span<const float> portable, double tolerance);

/// Multiplies small matrices of `element`, and attends, on matrix units and without, with every cut
/// that this device offers.  Where results differ the engine leaves the units for that element out
/// from then on.  Returns what to warn of; empty if all is well, or if there are none.
std::string check_matrix_units(Engine& engine, Element element);

}  // namespace awend::nn
