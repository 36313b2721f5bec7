// fp32 numbers to packed 16-bit ones: y (rows, COLUMNS) from x (rows, COLUMNS).
//
// Operands of matrix products are narrowed in a pass of their own, once for all products that use
// them.  Each subgroup takes ROWS rows; ROWS · COLUMNS is a multiple of 4.  Tested by
// tests/kernels/narrow_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "lib/sixteen_bits.glsl"
#include "op.h"

layout(constant_id = 1) const uint COLUMNS = 64;
layout(constant_id = 2) const uint ROWS = 4;
layout(constant_id = 3) const uint FP16 = 0;

PUSH(RowsPush, 3)
READS(vec4, 1, x)
WRITES(uvec2, 2, y)

void main() {
  const uint first = gl_WorkGroupID.x * ROWS;
  const uint end = min(counts[pc.rows_count], first + ROWS) * COLUMNS / 4;
  for (uint i = first * COLUMNS / 4 + lane(); i < end; i += LANES) {
    store_y(i, packed(narrowed(load_x(i), FP16 != 0)));
  }
}
