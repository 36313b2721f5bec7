// Adam (Kingma and Ba; paper, section 5.3) over a flat buffer, with clipping by the global norm.
// Resets the gradients to zero, because the next step adds to them.
//
//   m ← β1 m + (1 − β1) g    v ← β2 v + (1 − β2) g²
//   x ← x − rate · ((m c1) / (√(v c2) + ε) + decay x)
//
// If the norm is not finite, only the gradients are reset, so that one bad batch does not destroy
// parameters and moments.  Gradients are multiplied by the loss scale, which is removed first.
// `squared_norm` is computed by row_sum.  Tested by tests/kernels/adam_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "lib/finite.glsl"
#include "op_adam.h"

DECLARE(ADAM)

void main() {
  const float unscale = step_scalars.gradient_scale;
  const float norm = sqrt(load_squared_norm(0)) * unscale;
  const bool finite = is_finite(load_squared_norm(0)) && norm < 3.0e38;
  const float clip = step_scalars.clip_norm;
  const float shrink = clip > 0 && norm > clip ? clip / norm * unscale : unscale;
  const float rate = step_scalars.learning_rate;
  const float correction1 = step_scalars.moment1_correction;
  const float correction2 = step_scalars.moment2_correction;
  const uint per_group = LANES * FLAT_VECTORS_PER_LANE;
  const uint begin = gl_WorkGroupID.x * per_group;
  const uint end = min(counts[pc.floats_count] / 4, begin + per_group);
  for (uint i = begin + lane(); i < end; i += AT_ONCE * LANES) {
    vec4 x[AT_ONCE], g[AT_ONCE], m[AT_ONCE], v[AT_ONCE];
    [[unroll]] for (uint n = 0; n < AT_ONCE; ++n) {
      const uint at = min(i + n * LANES, end - 1);
      x[n] = load_x(at);
      g[n] = load_gradients(at) * shrink;
      m[n] = load_m(at);
      v[n] = load_v(at);
    }
    [[unroll]] for (uint n = 0; n < AT_ONCE; ++n) {
      const uint at = i + n * LANES;
      if (at >= end) continue;
      store_gradients(at, vec4(0));
      if (!finite) continue;
      const vec4 m_new = pc.beta1 * m[n] + (1 - pc.beta1) * g[n];
      const vec4 v_new = pc.beta2 * v[n] + (1 - pc.beta2) * g[n] * g[n];
      store_m(at, m_new);
      store_v(at, v_new);
      const vec4 change = rate * (m_new * correction1) / (sqrt(v_new * correction2) + pc.epsilon);
      store_x(at, x[n] - change - rate * pc.weight_decay * x[n]);
    }
  }
}
