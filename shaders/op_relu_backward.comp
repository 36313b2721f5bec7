// Gradient of y = max(0, z), in place: dy becomes dz, zero where y is zero.  (rows, COLUMNS).
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "op.h"

layout(constant_id = 1) const uint COLUMNS = 64;
layout(push_constant) uniform Push { RowsPush pc; };
layout(set = 0, binding = 1) readonly buffer Y { vec4 y[]; };
layout(set = 0, binding = 2) buffer DY { vec4 dy[]; };

void main() {
  const uint end_row = min(counts[pc.rows_count], (gl_WorkGroupID.x + 1) * ROWS_PER_GROUP);
  const uint end = end_row * (COLUMNS / 4);
  for (uint i = gl_WorkGroupID.x * ROWS_PER_GROUP * (COLUMNS / 4) + lane(); i < end; i += LANES) {
    dy[i] = mix(vec4(0), dy[i], greaterThan(y[i], vec4(0)));
  }
}
