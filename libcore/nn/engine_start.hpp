// What a program does with its engine before it builds programs, and what it tells the user.
// Test: tests/cli/devices.sh, for the messages.
#pragma once

#include "base/report.hpp"
#include "nn/element.hpp"
#include "nn/engine.hpp"

namespace awend::nn {

/// Reports the device and checks its matrix units.  `precision` is that of operands of matrix
/// products.  Throws Error if the device does not compute with it.
void start(Engine& engine, Element precision, const base::Report& report);

/// Warns if memory for kernels is not on the device, or if there is too much of it.
void report_memory(const Engine& engine, const base::Report& report);

}  // namespace awend::nn
