// The attentional state of a decoder with input feeding (Luong et al., 2015): f = tanh(z), by rank
// for the next step and packed for the output.
//
//   FORWARD   f = y = tanh(z)
//   BACKWARD  dz = (dy + df) (1 − y²)
//
// Rows are those of op_lstm.comp.  Tested by tests/kernels/recurrent_decoder_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "lib/gates.glsl"
#include "op_feed.h"

#ifdef FORWARD
DECLARE(FEED)
#else
DECLARE(FEED_BACKWARD)
#endif

void main() {
  const uint i = gl_WorkGroupID.x;
  if (i >= counts[pc.rows_count]) return;
  const uint row = load_table(counts[pc.rows_count + 1] + i);
  const uint width = COLUMNS / 4;
  for (uint column = lane(); column < width; column += LANES) {
    const uint own = i * width + column;
    const uint packed = row * width + column;
#ifdef FORWARD
    const vec4 f = hyperbolic(load_z(own));
    if (KEEP != 0) store_f_before(packed, load_f(own));
    store_f(own, f);
    store_y(packed, f);
#else
    const vec4 y = load_y(packed);
    vec4 d = load_df(own);
    if (HAS_DY != 0) d += load_dy(packed);
    store_dz(own, d * (1 - y * y));
    store_dz_rows(packed, d * (1 - y * y));
#endif
  }
}
