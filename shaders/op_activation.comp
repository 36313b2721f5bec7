// Activation functions, element by element:
//
//   FORWARD   y = f(z)
//   BACKWARD  dz = dy f'(z), or dz += with ADD
//
// GELU (Hendrycks and Gimpel, 2016): z Φ(z), with the error function to 1.5e-7 (Abramowitz and
// Stegun, 7.1.26).  Swish (Ramachandran et al., 2017), also called SiLU: z σ(z).  Sigmoid: σ(z).
// Hyperbolic tangent: 2 σ(2z) − 1.  Tested by tests/kernels/activation_test.cpp.
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

vec4 sigmoid(vec4 z) {
  return 1 / (1 + exp(-z));
}

// Φ, the cumulative normal distribution.
vec4 normal_share(vec4 z) {
  const vec4 x = abs(z) * 0.70710678118654752;
  const vec4 t = 1 / (1 + 0.3275911 * x);
  const vec4 tail =
      t * (0.254829592 +
           t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))) *
      exp(-x * x);
  return mix(0.5 * tail, 1 - 0.5 * tail, greaterThanEqual(z, vec4(0)));
}

// y and its derivative by z.
struct Result {
  vec4 y;
  vec4 derivative;
};

Result activate(vec4 z) {
  if (FUNCTION == ACTIVATION_SIGMOID) {
    const vec4 y = sigmoid(z);
    return Result(y, y * (1 - y));
  }
  if (FUNCTION == ACTIVATION_TANH) {
    const vec4 y = 2 * sigmoid(2 * z) - 1;
    return Result(y, 1 - y * y);
  }
  // z · share: the derivative of Φ is φ, that of σ is σ (1 − σ).
  const bool swish = FUNCTION == ACTIVATION_SWISH;
  const vec4 share = swish ? sigmoid(z) : normal_share(z);
  const vec4 density = swish ? share * (1 - share) : 0.39894228040143268 * exp(-0.5 * z * z);
  return Result(z * share, share + z * density);
}

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
