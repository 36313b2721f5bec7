// Rounds fp32 numbers to packed 16-bit numbers: y from x.
//
// Operands of matrix products are rounded once, for all products that use them.  Each subgroup
// processes ROWS rows; ROWS · COLUMNS is a multiple of 4.  Tested by tests/kernels/narrow_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "lib/finite.glsl"
#include "lib/sixteen_bits.glsl"
#include "op_narrow.h"

DECLARE(NARROW)

void main() {
  const uint first = gl_WorkGroupID.x * ROWS;
  const uint end = min(counts[pc.rows_count], first + ROWS) * COLUMNS / 4;
  for (uint i = first * COLUMNS / 4 + lane(); i < end; i += AT_ONCE * LANES) {
    vec4 x[AT_ONCE];
    [[unroll]] for (uint n = 0; n < AT_ONCE; ++n) x[n] = load_x(min(i + n * LANES, end - 1));
    [[unroll]] for (uint n = 0; n < AT_ONCE; ++n) {
      const uint at = i + n * LANES;
      if (at < end) store_y(at, packed(narrowed(x[n], FP16 != 0)));
    }
  }
}
