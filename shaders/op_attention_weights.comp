// The weights of attention (paper, section 3.2), which the forward kernel does not store:
// p = exp(q kᵀ / √d_k − log_sum_exp) for each query row, head and key.
//
// Workgroup (query row, head), keys in lanes.  The weights of a row and head begin at the first key
// of the row; elements after its last key are not written.
// With BIASED, as in op_attention.comp.
// Tested by tests/kernels/attention_test.cpp and relative_attention_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "op_attention_weights.h"

#ifdef BIASED
DECLARE(ATTENTION_WEIGHTS_BIASED)
#else
DECLARE(ATTENTION_WEIGHTS)
#endif
#include "lib/relative_bias.glsl"

void main() {
  const uint row = gl_WorkGroupID.x;
  const uint head = gl_WorkGroupID.y;
  if (row >= counts[pc.rows_count]) return;
  const uvec2 range = load_key_ranges(row);
  const uint own = row * HEADS + head;
  const float log_sum = load_log_sum_exp(own);
  for (uint key = range.x + lane(); key < range.y; key += LANES) {
    float score = 0;
    for (uint i = 0; i < D_K / 4; ++i) {
      score += dot(load_q(own * (D_K / 4) + i), load_k((key * HEADS + head) * (D_K / 4) + i));
    }
    store_weights(
        own * STRIDE + key - range.x,
        exp(score * inversesqrt(float(D_K)) PLUS_BIAS(int(key) - int(row)) - log_sum));
  }
}
