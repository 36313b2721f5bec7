// Activation functions, element by element:
//
//   FORWARD   y = f(z)
//   BACKWARD  dz = dy f'(z), or dz += with ADD
//
// The functions are in lib/activations.glsl.  Tested by tests/kernels/activation_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "op_activation.h"

#ifdef FORWARD
DECLARE(ACTIVATION)
#else
DECLARE(ACTIVATION_BACKWARD)
#endif

#include "lib/activations.glsl"

void main() {
  const uint end_row = min(counts[pc.rows_count], (gl_WorkGroupID.x + 1) * ROWS_PER_GROUP);
  const uint end = end_row * (COLUMNS / 4);
  for (uint i = gl_WorkGroupID.x * ROWS_PER_GROUP * (COLUMNS / 4) + lane(); i < end; i += LANES) {
    const Result result = activate(load_z(i));
#ifdef FORWARD
    store_y(i, result.y);
#else
    const vec4 change = load_dy(i) * result.derivative;
    store_dz(i, ADD != 0 ? load_dz(i) + change : change);
#endif
  }
}
