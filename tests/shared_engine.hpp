// The engine that all device tests of a program share, because on lavapipe compiling a kernel takes
// longer than running it a hundred times.
#pragma once

#include <functional>

#include "nn/engine.hpp"

namespace awend::tests {

/// The device is AWEND_DEVICE or the best.  The engine is created by the first call and destroyed
/// at the end of the test run.
nn::Engine& shared_engine();
/// The processor, whatever AWEND_DEVICE is.
nn::Engine& shared_processor();
/// Calls `destroy` before the engine is destroyed, for what several test cases share.
void before_end_of_engine(std::function<void()> destroy);

}  // namespace awend::tests
