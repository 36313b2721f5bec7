// Gradient of y = max(0, z), in place: dy becomes dz, which is zero where y is zero.
// Tested by tests/kernels/linear_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "op_relu_backward.h"

DECLARE(RELU_BACKWARD)

void main() {
  const uint end_row = min(counts[pc.rows_count], (gl_WorkGroupID.x + 1) * ROWS_PER_GROUP);
  const uint end = end_row * (COLUMNS / 4);
  const uint begin = gl_WorkGroupID.x * ROWS_PER_GROUP * (COLUMNS / 4);
  for (uint i = begin + lane(); i < end; i += AT_ONCE * LANES) {
    vec4 dy[AT_ONCE], y[AT_ONCE];
    [[unroll]] for (uint n = 0; n < AT_ONCE; ++n) {
      const uint at = min(i + n * LANES, end - 1);
      dy[n] = load_dy(at);
      y[n] = load_y(at);
    }
    [[unroll]] for (uint n = 0; n < AT_ONCE; ++n) {
      const uint at = i + n * LANES;
      if (at < end) store_dy(at, mix(vec4(0), dy[n], greaterThan(y[n], vec4(0))));
    }
  }
}
