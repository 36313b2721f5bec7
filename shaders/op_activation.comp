// Smooth activations of the feed-forward network, alternatives to the paper's ReLU.
//
//   FORWARD   y = f(z)
//   BACKWARD  dz = dy f'(z), or dz += if ADD
//
// GELU (Hendrycks and Gimpel, 2016): z Φ(z), with the error function to 1.5e-7 (Abramowitz and
// Stegun, 7.1.26).  Swish (Ramachandran et al., 2017), also called SiLU: z σ(z).  All
// (rows, COLUMNS).  Tested by tests/kernels/activation_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "op.h"

layout(constant_id = 1) const uint COLUMNS = 64;
layout(constant_id = 2) const uint SWISH = 0;
layout(constant_id = 3) const uint ADD = 0;

#ifdef FORWARD
PUSH(RowsPush, 3)
READS(vec4, 1, z)
WRITES(vec4, 2, y)
#else
PUSH(RowsPush, 4)
READS(vec4, 1, z)
READS(vec4, 2, dy)
UPDATES(vec4, 3, dz)
#endif

vec4 sigmoid(vec4 z) {
  return 1 / (1 + exp(-z));
}

// Φ, the normal distribution's share below z.
vec4 normal_share(vec4 z) {
  const vec4 x = abs(z) * 0.70710678118654752;
  const vec4 t = 1 / (1 + 0.3275911 * x);
  const vec4 tail =
      t * (0.254829592 +
           t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))) *
      exp(-x * x);
  return mix(0.5 * tail, 1 - 0.5 * tail, greaterThanEqual(z, vec4(0)));
}

void main() {
  const uint end_row = min(counts[pc.rows_count], (gl_WorkGroupID.x + 1) * ROWS_PER_GROUP);
  const uint end = end_row * (COLUMNS / 4);
  for (uint i = gl_WorkGroupID.x * ROWS_PER_GROUP * (COLUMNS / 4) + lane(); i < end; i += LANES) {
    const vec4 z = load_z(i);
    const vec4 share = SWISH != 0 ? sigmoid(z) : normal_share(z);
#ifdef FORWARD
    store_y(i, z * share);
#else
    // φ is Φ's slope, and σ (1 - σ) that of σ.
    const vec4 slope =
        SWISH != 0 ? share * (1 - share) : 0.39894228040143268 * exp(-0.5 * z * z);
    const vec4 change = load_dy(i) * (share + z * slope);
    store_dz(i, ADD != 0 ? load_dz(i) + change : change);
#endif
  }
}
