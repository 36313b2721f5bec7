// Attention of one decoding step (paper, section 3.2) over a cache: y = softmax(q kᵀ / √d_k) v.
//
// The keys of row i are the cache rows ancestors[past[i].x] … ancestors[past[i].y - 1].  When a
// beam is reordered, only this table changes and nothing is copied; rows may have pasts of
// different lengths.  Keys are processed LANES at a time with a running maximum and sum.  Workgroup
// (row, head); a lane computes the score of one key, then some columns of the result. Tested by
// tests/kernels/decoding_test.cpp.
//
// With BIASED, biases by relative positions are added to the scores: the last key of a row is that
// of its query.  Tested by tests/kernels/relative_attention_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "op_attention_cached.h"

#ifdef BIASED
DECLARE(ATTENTION_CACHED_BIASED)
#else
DECLARE(ATTENTION_CACHED)
#endif
#include "lib/relative_bias.glsl"

// Vectors of an iteration of a score, so that their loads overlap.
const uint STEP = D_K % 16 == 0 ? 4u : 1u;
const float LOWEST = -1e30;  // instead of −∞, so that no difference is NaN

void main() {
  const uint row = gl_WorkGroupID.x;
  const uint head = gl_WorkGroupID.y;
  if (row >= counts[pc.rows_count]) return;
  const uvec2 past = load_past(row);
  const uint keys = past.y - past.x;
  const uint q_at = (row * HEADS + head) * (D_K / 4);
  float maximum = LOWEST;
  float sum = 0;
  vec4 result[PER_LANE];
  [[unroll]] for (uint i = 0; i < PER_LANE; ++i) result[i] = vec4(0);

  for (uint base = 0; base < keys; base += LANES) {
    const uint key = min(base + lane(), keys - 1);
    const uint k_at = (load_ancestors(past.x + key) * HEADS + head) * (D_K / 4);
    float score = 0;
    [[dont_unroll]] for (uint first = 0; first < D_K / 4; first += STEP) {
      [[unroll]] for (uint i = first; i < first + STEP; ++i)
        score += dot(load_q(q_at + i), load_k(k_at + i));
    }
    score = base + lane() < keys
                ? score * inversesqrt(float(D_K)) PLUS_BIAS(int(key) - int(keys - 1))
                : LOWEST;

    const float new_maximum = max(maximum, lanes_max(score));
    const float shrink = exp(maximum - new_maximum);
    const float weight = base + lane() < keys ? exp(score - new_maximum) : 0.0;
    sum = sum * shrink + lanes_add(weight);
    maximum = new_maximum;
    [[unroll]] for (uint i = 0; i < PER_LANE; ++i) result[i] *= shrink;
    const uint block = min(LANES, keys - base);
    for (uint j = 0; j < block; ++j) {
      const float w = subgroupShuffle(weight, j);
      const uint v_at = (load_ancestors(past.x + base + j) * HEADS + head) * (D_V / 4);
      [[unroll]] for (uint i = 0; i < PER_LANE; ++i) {
        result[i] += w * load_v(v_at + min(i * LANES + lane(), D_V / 4 - 1));
      }
    }
  }
  const float inverse = sum > 0 ? 1.0 / sum : 0.0;
  const uint y_at = (row * HEADS + head) * (D_V / 4);
  [[unroll]] for (uint i = 0; i < PER_LANE; ++i) {
    const uint column = i * LANES + lane();
    if (column < D_V / 4) store_y(y_at + column, result[i] * inverse);
  }
}
