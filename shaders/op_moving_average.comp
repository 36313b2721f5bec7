// The exponential moving average of the parameters, over flat buffers, after Adam:
//
//   a ← a + share · (x − a)
//
// As in Adam nothing changes where the gradient's norm, whose square `squared_norm` holds, is not
// finite.  Tested by tests/kernels/adam_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "op.h"

PUSH(AveragePush, 5)
layout(set = 0, binding = 1) readonly buffer Step { StepScalars step_scalars; };
READS(float, 2, squared_norm)
READS(vec4, 3, x)
UPDATES(vec4, 4, average)

void main() {
  const float norm = sqrt(load_squared_norm(0)) * step_scalars.gradient_scale;
  if (!(norm < 3.0e38)) return;
  const uint per_group = LANES * FLAT_VECTORS_PER_LANE;
  const uint begin = gl_WorkGroupID.x * per_group;
  const uint end = min(counts[pc.floats_count] / 4, begin + per_group);
  for (uint i = begin + lane(); i < end; i += LANES) {
    const vec4 a = load_average(i);
    store_average(i, a + step_scalars.average_share * (load_x(i) - a));
  }
}
