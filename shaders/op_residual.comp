// The residual connection and its gradient (paper, section 5.4, "Residual Dropout").
//
//   FORWARD   y = x + dropout(a)
//   BACKWARD  da = dropout(dy), the same mask drawn again; dx = dy, or dx += dy if ADD
//
// Also dropout alone (x absent: HAS_X 0).  All (rows, COLUMNS).  Tested by
// tests/kernels/residual_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/philox.glsl"
#include "op.h"

layout(constant_id = 1) const uint COLUMNS = 64;
layout(constant_id = 2) const uint HAS_X = 1;
layout(constant_id = 3) const uint ADD_X = 0;
layout(constant_id = 4) const uint ADD_A = 0;
layout(constant_id = 5) const uint DROPS = 1;

layout(push_constant) uniform Push { ElementwisePush pc; };
layout(set = 0, binding = 1) readonly buffer Step { StepScalars step_scalars; };
#ifdef FORWARD
layout(set = 0, binding = 2) readonly buffer X { vec4 x[]; };
layout(set = 0, binding = 3) readonly buffer A { vec4 a[]; };
layout(set = 0, binding = 4) writeonly buffer Y { vec4 y[]; };
#else
layout(set = 0, binding = 2) readonly buffer DY { vec4 dy[]; };
layout(set = 0, binding = 3) buffer DX { vec4 dx[]; };
layout(set = 0, binding = 4) buffer DA { vec4 da[]; };
#endif

void main() {
  const uvec2 seed = uvec2(step_scalars.seed_low, step_scalars.seed_high);
  const uint step = step_scalars.step;
  const uint end_row = min(counts[pc.rows_count], (gl_WorkGroupID.x + 1) * ROWS_PER_GROUP);
  const uint end = end_row * (COLUMNS / 4);
  for (uint i = gl_WorkGroupID.x * ROWS_PER_GROUP * (COLUMNS / 4) + lane(); i < end; i += LANES) {
    vec4 factor = vec4(1);
    if (DROPS != 0) factor = dropout_factors(i, pc.site, step, seed, pc.threshold, pc.scale);
#ifdef FORWARD
    vec4 sum = a[i] * factor;
    if (HAS_X != 0) sum += x[i];
    y[i] = sum;
#else
    const vec4 d = dy[i];
    if (HAS_X != 0) dx[i] = ADD_X != 0 ? dx[i] + d : d;
    da[i] = ADD_A != 0 ? da[i] + d * factor : d * factor;
#endif
  }
}
