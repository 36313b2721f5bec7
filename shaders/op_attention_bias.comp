// The gradient of biases by relative positions, without atomics: for each query row and head, the
// sums over the keys of each bucket of the gradient of the score, ds = p (dy vᵀ − delta).  The sums
// of all rows are then added in the order of rows (op_column_sum.comp).
//
// Workgroup (query row, head).  A lane computes the gradient of the score of one key; then each
// lane adds those of its buckets, in the order of keys.
// Tested by tests/kernels/relative_attention_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "lib/philox.glsl"
#include "op_attention_bias.h"

#define BIASED
DECLARE(ATTENTION_BIAS)
#include "lib/relative_bias.glsl"

void main() {
  const uint row = gl_WorkGroupID.x;
  const uint head = gl_WorkGroupID.y;
  if (row >= counts[pc.rows_count]) return;
  const uvec2 range = load_ranges(row);
  const uint own = row * HEADS + head;
  const uint first_row = counts[pc.rows_count + 1];
  const uint first_key = counts[pc.other_rows_count + 1];
  const int limit = int(MAX_DISTANCE);
  float sums[PER_LANE];
  [[unroll]] for (uint i = 0; i < PER_LANE; ++i) sums[i] = 0;

  for (uint base = range.x; base < range.y; base += LANES) {
    const uint key = min(base + lane(), range.y - 1);
    const uint at = key * HEADS + head;
    float score = 0;
    for (uint i = 0; i < D_K / 4; ++i)
      score += dot(load_q(own * (D_K / 4) + i), load_k(at * (D_K / 4) + i));
    float gradient = 0;
    for (uint i = 0; i < D_V / 4; ++i)
      gradient += dot(load_dy(own * (D_V / 4) + i), load_v(at * (D_V / 4) + i));
    if (DROPS != 0) {
      const uvec4 words = philox(uvec4(first_row + row, first_key + key,
                                       (pc.dropout_id << 8) | head, step_scalars.step),
                                 uvec2(step_scalars.seed_low, step_scalars.seed_high));
      gradient *= words.x >= pc.threshold ? pc.scale : 0.0;
    }
    const int distance = int(first_key + key) - int(first_row + row);
    const uint bucket = load_buckets(uint(clamp(distance, -limit, limit) + limit));
    const float p =
        exp(score * inversesqrt(float(D_K)) PLUS_BIAS(distance) - load_log_sum_exp(own));
    gradient = p * (gradient - load_deltas(own));
    const uint block = min(LANES, range.y - base);
    for (uint j = 0; j < block; ++j) {
      const float change = subgroupShuffle(gradient, j);
      const uint place = subgroupShuffle(bucket, j);
      [[unroll]] for (uint i = 0; i < PER_LANE; ++i)
        sums[i] += place == i * LANES + lane() ? change : 0.0;
    }
  }
  [[unroll]] for (uint i = 0; i < PER_LANE; ++i) {
    const uint bucket = i * LANES + lane();
    if (bucket < BUCKETS) store_sums((row * BUCKETS + bucket) * HEADS + head, sums[i]);
  }
}
