// What a program does with its engine before it builds programs, and what it tells the user.
// Test: tests/cli/products.sh, for the messages.
#pragma once

#include "base/report.hpp"
#include "nn/element.hpp"
#include "nn/engine.hpp"

namespace awend::nn {

struct EngineSettings {
  Products products;
  unsigned threads;   ///< Of the host, see Engine::choose_products().
  Element precision;  ///< Of operands of matrix products.
};

/// Chooses where operations are computed, checks the matrix units, and reports the device.
void start(Engine& engine, const EngineSettings& settings, const base::Report& report);

/// Warns if memory for kernels is not on the device, or if there is too much of it.
void report_memory(const Engine& engine, const base::Report& report);

}  // namespace awend::nn
