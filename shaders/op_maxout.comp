// Maxout units (Goodfellow et al., 2013) of two inputs each, as in the output of Cho et al. (2014)
// and Bahdanau et al. (2015):
//
//   FORWARD   y[k] = max(z[2k], z[2k + 1])
//   BACKWARD  dz of the larger input = dy, of the other 0, or dz += with ADD; of equal inputs, the
//             first has the gradient
//
// Tested by tests/kernels/maxout_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "op_maxout.h"

#ifdef FORWARD
DECLARE(MAXOUT)
#else
DECLARE(MAXOUT_BACKWARD)
#endif

#ifndef FORWARD
void add_to_dz(uint at, vec4 change) {
  store_dz(at, ADD != 0 ? load_dz(at) + change : change);
}
#endif

// Rows follow each other without gaps, so the vectors of y and z have the same order.
void main() {
  const uint end_row = min(counts[pc.rows_count], (gl_WorkGroupID.x + 1) * ROWS_PER_GROUP);
  const uint end = end_row * (COLUMNS / 4);
  for (uint i = gl_WorkGroupID.x * ROWS_PER_GROUP * (COLUMNS / 4) + lane(); i < end; i += LANES) {
    const vec4 low = load_z(2 * i), high = load_z(2 * i + 1);
    const vec4 first = vec4(low.xz, high.xz), second = vec4(low.yw, high.yw);
    const bvec4 is_second = greaterThan(second, first);
#ifdef FORWARD
    store_y(i, mix(first, second, is_second));
#else
    const vec4 dy = load_dy(i);
    const vec4 dfirst = mix(dy, vec4(0), is_second), dsecond = mix(vec4(0), dy, is_second);
    add_to_dz(2 * i, vec4(dfirst.x, dsecond.x, dfirst.y, dsecond.y));
    add_to_dz(2 * i + 1, vec4(dfirst.z, dsecond.z, dfirst.w, dsecond.w));
#endif
  }
}
