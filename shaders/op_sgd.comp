// Stochastic gradient descent without momentum over a flat buffer, clipped by the global norm.
// Resets the gradients to zero, because the next step adds to them.
//
//   x ← x − rate · (g + decay x)
//
// As in Adam, only the gradients change if their norm is not finite, and the loss scale is removed
// first.  Tested by tests/kernels/sgd_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "lib/finite.glsl"
#include "op_sgd.h"

DECLARE(SGD)

void main() {
  const float unscale = step_scalars.gradient_scale;
  const float norm = sqrt(load_squared_norm(0)) * unscale;
  const bool finite = is_finite(load_squared_norm(0)) && norm < 3.0e38;
  const float clip = step_scalars.clip_norm;
  const float shrink = clip > 0 && norm > clip ? clip / norm * unscale : unscale;
  const uint per_group = LANES * FLAT_VECTORS_PER_LANE;
  const uint begin = gl_WorkGroupID.x * per_group;
  const uint end = min(counts[pc.floats_count] / 4, begin + per_group);
  for (uint i = begin + lane(); i < end; i += LANES) {
    const vec4 g = load_gradients(i) * shrink;
    store_gradients(i, vec4(0));
    if (!finite) continue;
    const vec4 x = load_x(i);
    store_x(i, x - step_scalars.learning_rate * (g + pc.weight_decay * x));
  }
}
