// Gated activation functions (Shazeer, 2020: ReGLU, GEGLU, SwiGLU), element by element:
//
//   FORWARD   y = f(z) x
//   BACKWARD  dz = dy x f'(z), dx = dy f(z)
//
// The functions are in lib/activations.glsl.  Tested by tests/kernels/activation_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "op_gated_activation.h"

#ifdef FORWARD
DECLARE(GATED_ACTIVATION)
#else
DECLARE(GATED_ACTIVATION_BACKWARD)
#endif

#include "lib/activations.glsl"

void main() {
  const uint end_row = min(counts[pc.rows_count], (gl_WorkGroupID.x + 1) * ROWS_PER_GROUP);
  const uint end = end_row * (COLUMNS / 4);
  for (uint i = gl_WorkGroupID.x * ROWS_PER_GROUP * (COLUMNS / 4) + lane(); i < end; i += LANES) {
    const Result result = activate(load_z(i));
#ifdef FORWARD
    store_y(i, result.y * load_x(i));
#else
    const vec4 dy = load_dy(i);
    store_dz(i, dy * load_x(i) * result.derivative);
    store_dx(i, dy * result.y);
#endif
  }
}
