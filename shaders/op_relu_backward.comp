// Gradient of y = max(0, z), in place: dy becomes dz, zero where y is zero.  (rows, COLUMNS).
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "op.h"

layout(constant_id = 1) const uint COLUMNS = 64;
PUSH(RowsPush, 3)
READS(vec4, 1, y)
UPDATES(vec4, 2, dy)

void main() {
  const uint end_row = min(counts[pc.rows_count], (gl_WorkGroupID.x + 1) * ROWS_PER_GROUP);
  const uint end = end_row * (COLUMNS / 4);
  for (uint i = gl_WorkGroupID.x * ROWS_PER_GROUP * (COLUMNS / 4) + lane(); i < end; i += LANES) {
    store_dy(i, mix(vec4(0), load_dy(i), greaterThan(load_y(i), vec4(0))));
  }
}
