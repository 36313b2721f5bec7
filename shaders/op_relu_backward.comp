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
  for (uint i = gl_WorkGroupID.x * ROWS_PER_GROUP * (COLUMNS / 4) + lane(); i < end; i += LANES) {
    store_dy(i, mix(vec4(0), load_dy(i), greaterThan(load_y(i), vec4(0))));
  }
}
