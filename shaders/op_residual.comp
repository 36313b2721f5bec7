// The residual connection and its gradient (paper, section 5.4, "Residual Dropout").
//
//   FORWARD   y = x + dropout(a)
//   BACKWARD  da = dropout(dy), the same mask drawn again; dx = dy, or dx += dy if ADD
//
// Also dropout alone (x absent: HAS_X 0).  All (rows, COLUMNS).  Tested by
// tests/kernels/rows_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "lib/philox.glsl"
#include "op.h"

layout(constant_id = 1) const uint COLUMNS = 64;
layout(constant_id = 2) const uint HAS_X = 1;
layout(constant_id = 3) const uint ADD_X = 0;
layout(constant_id = 4) const uint ADD_A = 0;
layout(constant_id = 5) const uint DROPS = 1;

PUSH(ElementwisePush, 5)
layout(set = 0, binding = 1) readonly buffer Step { StepScalars step_scalars; };
#ifdef FORWARD
READS(vec4, 2, x)
READS(vec4, 3, a)
WRITES(vec4, 4, y)
#else
READS(vec4, 2, dy)
UPDATES(vec4, 3, dx)
UPDATES(vec4, 4, da)
#endif

void main() {
  const uvec2 seed = uvec2(step_scalars.seed_low, step_scalars.seed_high);
  const uint step = step_scalars.step;
  const uint first = counts[pc.rows_count + 1] * (COLUMNS / 4);
  const uint end_row = min(counts[pc.rows_count], (gl_WorkGroupID.x + 1) * ROWS_PER_GROUP);
  const uint end = end_row * (COLUMNS / 4);
  for (uint i = gl_WorkGroupID.x * ROWS_PER_GROUP * (COLUMNS / 4) + lane(); i < end; i += LANES) {
    vec4 factor = vec4(1);
    if (DROPS != 0)
      factor = dropout_factors(first + i, pc.site, step, seed, pc.threshold, pc.scale);
#ifdef FORWARD
    vec4 sum = load_a(i) * factor;
    if (HAS_X != 0) sum += load_x(i);
    store_y(i, sum);
#else
    const vec4 d = load_dy(i);
    if (HAS_X != 0) store_dx(i, ADD_X != 0 ? load_dx(i) + d : d);
    store_da(i, ADD_A != 0 ? load_da(i) + d * factor : d * factor);
#endif
  }
}
