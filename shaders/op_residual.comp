// The residual connection and its gradient (paper, section 5.4, "Residual Dropout").
//
//   FORWARD   y = x + dropout(a)
//   BACKWARD  da = dropout(dy) with the same mask; dx = dy, or dx += dy with ADD_X
//
// With HAS_X 0, dropout only.  Tested by tests/kernels/rows_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "lib/philox.glsl"
#include "op_residual.h"

#ifdef FORWARD
DECLARE(RESIDUAL)
#else
DECLARE(RESIDUAL_BACKWARD)
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
      factor = dropout_factors(first + i, pc.dropout_id, step, seed, pc.threshold, pc.scale);
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
