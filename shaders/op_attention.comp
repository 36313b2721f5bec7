// Attention over packed sentences (paper, section 3.2): y = softmax(q kᵀ / √d_k) v for each head.
//
// q (query rows, HEADS · D_K), k (key rows, HEADS · D_K), v (key rows, HEADS · D_V), y (query rows,
// HEADS · D_V).  Query row i sees the key rows key_ranges[i].x … key_ranges[i].y: its own sentence
// in the encoder, up to itself in the decoder, the source sentence in encoder-decoder attention.
// No score matrix is kept: keys come LANES at a time with a running maximum and sum, and
// log_sum_exp (query rows, HEADS) is all that the backward pass needs. With CACHED (one decoding
// step) every row sees counts[keys_count] keys, and key j of row i is row ancestors[i · stride + j]
// of the cache: when a beam is reordered only that table changes, nothing is copied. Workgroup
// (query row, head); a lane scores one key, then owns some columns of v. Tested by
// tests/kernels/attention_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "lib/philox.glsl"
#include "op.h"

layout(constant_id = 1) const uint HEADS = 1;
layout(constant_id = 2) const uint D_K = 64;
layout(constant_id = 3) const uint D_V = 64;
layout(constant_id = 4) const uint PER_LANE = 2;  // ceil(D_V / 4 / LANES)
layout(constant_id = 5) const uint DROPS = 0;

#ifdef CACHED
PUSH(CachedAttentionPush, 8)
READS(uint, 2, ancestors)
#else
PUSH(AttentionPush, 8)
layout(set = 0, binding = 1) readonly buffer Step { StepScalars step_scalars; };
READS(uvec2, 2, key_ranges)
#endif
READS(vec4, 3, q)
READS(vec4, 4, k)
READS(vec4, 5, v)
WRITES(vec4, 6, y)
#ifndef CACHED
WRITES(float, 7, log_sum_exp)
#endif

const float LOWEST = -1e30;  // stands for −∞, so that no difference is NaN

// The row of k and v where key number `key` of query row `row` is.
uint key_row(uint row, uint key) {
#ifdef CACHED
  return load_ancestors(row * counts[pc.stride_count] + key);
#else
  return key;
#endif
}

void main() {
  const uint row = gl_WorkGroupID.x;
  const uint head = gl_WorkGroupID.y;
  if (row >= counts[pc.rows_count]) return;
#ifdef CACHED
  const uvec2 range = uvec2(0, counts[pc.keys_count]);
#else
  const uvec2 range = load_key_ranges(row);
#endif
  const uint q_at = (row * HEADS + head) * (D_K / 4);
  float maximum = LOWEST;
  float sum = 0;
  vec4 result[PER_LANE];
  [[unroll]] for (uint i = 0; i < PER_LANE; ++i) result[i] = vec4(0);

  for (uint base = range.x; base < range.y; base += LANES) {
    const uint key = min(base + lane(), range.y - 1);
    const uint k_at = (key_row(row, key) * HEADS + head) * (D_K / 4);
    float score = 0;
    for (uint i = 0; i < D_K / 4; ++i) score += dot(load_q(q_at + i), load_k(k_at + i));
    score = base + lane() < range.y ? score * inversesqrt(float(D_K)) : LOWEST;

    const float new_maximum = max(maximum, lanes_max(score));
    const float shrink = exp(maximum - new_maximum);
    float weight = base + lane() < range.y ? exp(score - new_maximum) : 0.0;
    sum = sum * shrink + lanes_add(weight);
    maximum = new_maximum;
#ifndef CACHED
    if (DROPS != 0) {
      const uvec4 words = philox(uvec4(row, key, (pc.site << 8) | head, step_scalars.step),
                                 uvec2(step_scalars.seed_low, step_scalars.seed_high));
      weight *= words.x >= pc.threshold ? pc.scale : 0.0;
    }
#endif
    [[unroll]] for (uint i = 0; i < PER_LANE; ++i) result[i] *= shrink;
    const uint keys = min(LANES, range.y - base);
    for (uint j = 0; j < keys; ++j) {
      const float w = subgroupShuffle(weight, j);
      const uint v_at = (key_row(row, base + j) * HEADS + head) * (D_V / 4);
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
#ifndef CACHED
  if (lane() == 0) store_log_sum_exp(row * HEADS + head, maximum + log(sum));
#endif
}
