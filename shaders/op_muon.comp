// The parts of Muon (Jordan et al., 2024) that are not products; nn/muon.cpp has the whole.
//
//   MOMENTUM    m ← β m + (1 − β) g    u = (1 − β) g + β m       of a flat buffer
//   POLYNOMIAL  of the square matrix A = X Xᵀ, and of A A:  B = a I + b A + c A²; NORMALIZE: of
//               X / |X| instead, so that B X is its next iterate, with |X|² = the trace of A
//   UPDATE      x ← x − rate · (scale · direction + decay x)     of a flat buffer
//
// As in Adam, the loss scale is removed from g and the gradients are clipped and then reset; if
// their norm is not finite, only the reset takes place, and u is 0.
// Tested by tests/kernels/muon_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "lib/finite.glsl"
#include "op_muon.h"

#if defined(MOMENTUM)
DECLARE(MUON_MOMENTUM)
#elif defined(POLYNOMIAL)
DECLARE(MUON_POLYNOMIAL)
#else
DECLARE(MUON_UPDATE)
#endif

#ifdef POLYNOMIAL
float trace_of_a() {
  float sum = 0;
  for (uint i = lane(); i < COLUMNS; i += LANES) sum += load_a(i * (COLUMNS / 4) + i / 4)[i % 4];
  return lanes_add(sum);
}

void main() {
  const uint width = COLUMNS / 4;
  float of_x = 1, of_a = 1;
  if (NORMALIZE != 0) {
    const float squares = trace_of_a();
    of_a = squares > MUON_LEAST_SQUARES ? 1 / squares : 0;
    of_x = sqrt(of_a);
  }
  const uint end = min(counts[pc.rows_count], (gl_WorkGroupID.x + 1) * ROWS_PER_GROUP);
  for (uint row = gl_WorkGroupID.x * ROWS_PER_GROUP; row < end; ++row) {
    for (uint i = lane(); i < width; i += LANES) {
      const uint at = row * width + i;
      vec4 sum = of_a * (pc.linear * load_a(at) + pc.quadratic * (of_a * load_square(at)));
      if (i == row / 4) sum[row % 4] += pc.constant;
      store_square(at, of_x * sum);
    }
  }
}
#else
void main() {
  const float unscale = step_scalars.gradient_scale;
  const float norm = sqrt(load_squared_norm(0)) * unscale;
  const bool finite = is_finite(load_squared_norm(0)) && norm < 3.0e38;
  const uint per_group = LANES * FLAT_VECTORS_PER_LANE;
  const uint begin = gl_WorkGroupID.x * per_group;
  const uint end = min(counts[pc.floats_count] / 4, begin + per_group);
#ifdef MOMENTUM
  const float clip = step_scalars.clip_norm;
  const float shrink = clip > 0 && norm > clip ? clip / norm * unscale : unscale;
  for (uint i = begin + lane(); i < end; i += LANES) {
    const vec4 g = load_gradients(i) * shrink;
    store_gradients(i, vec4(0));
    if (!finite) {
      store_u(i, vec4(0));
      continue;
    }
    const vec4 share = (1 - pc.momentum) * g;
    const vec4 m_new = pc.momentum * load_m(i) + share;
    store_m(i, m_new);
    store_u(i, pc.momentum * m_new + share);
  }
#else
  if (!finite) return;
  const float rate = step_scalars.learning_rate;
  for (uint i = begin + lane(); i < end; i += LANES) {
    const vec4 x = load_x(i);
    store_x(i, x - rate * (pc.scale * load_direction(i) + pc.weight_decay * x));
  }
#endif
}
#endif
