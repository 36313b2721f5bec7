// Exponential moving average of the parameters, over flat buffers, after Adam:
//
//   a ← a + share · (x − a)
//
// As in Adam, nothing changes if the norm of the gradients is not finite.
// Tested by tests/kernels/adam_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "lib/finite.glsl"
#include "op_moving_average.h"

DECLARE(MOVING_AVERAGE)

void main() {
  const float norm = sqrt(load_squared_norm(0)) * step_scalars.gradient_scale;
  if (!is_finite(load_squared_norm(0)) || norm >= 3.0e38) return;
  const uint per_group = LANES * FLAT_VECTORS_PER_LANE;
  const uint begin = gl_WorkGroupID.x * per_group;
  const uint end = min(counts[pc.floats_count] / 4, begin + per_group);
  for (uint i = begin + lane(); i < end; i += LANES) {
    const vec4 a = load_average(i);
    store_average(i, a + step_scalars.average_share * (load_x(i) - a));
  }
}
