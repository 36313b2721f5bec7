// The engine that all device tests of a program share, because on lavapipe compiling a kernel takes
// longer than running it a hundred times.
#pragma once

#include "nn/engine.hpp"

namespace awend::tests {

/// The device is AWEND_DEVICE or the best.  The engine is created by the first call and destroyed
/// at the end of the test run.
nn::Engine& shared_engine();

}  // namespace awend::tests
