// Comparison of sums through texel buffers with the host, at the start of a program: lavapipe of
// Mesa 25.0 with vectors of 512 bits was observed to compute wrong ones.
// Test: tests/faults/devices.sh, with a layer that returns wrong texels.
#pragma once

namespace awend::nn {

struct Engine;

/// If kernels read through texel buffers and the sums of one are wrong, the device uses storage
/// buffers from now on, and its description says so.  Requires: no kernel was compiled.
void check_texels(Engine& engine);

}  // namespace awend::nn
