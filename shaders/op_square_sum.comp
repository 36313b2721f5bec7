// Partial sums of squares of a flat buffer: each subgroup writes one pair (sum, 0), which row_sum
// adds.  Tested by tests/kernels/adam_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "op_square_sum.h"

DECLARE(SQUARE_SUM)

void main() {
  const uint per_group = LANES * FLAT_VECTORS_PER_LANE;
  const uint begin = gl_WorkGroupID.x * per_group;
  const uint end = min(counts[pc.floats_count] / 4, begin + per_group);
  vec4 sum = vec4(0);
  for (uint i = begin + lane(); i < end; i += LANES) {
    const vec4 value = load_values(i);
    sum += value * value;
  }
  const float total = lanes_add(dot(sum, vec4(1)));
  if (lane() == 0) store_partials(pc.first_partial + gl_WorkGroupID.x, vec2(total, 0));
}
