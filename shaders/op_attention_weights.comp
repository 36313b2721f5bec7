// The weights of attention that the forward kernel did not keep (paper, section 3.2), for those who
// want to see them: p = exp(q kᵀ / √d_k − log_sum_exp) for each query row, head and key.
//
// Workgroup (query row, head), keys in lanes.  weights (query rows, HEADS · STRIDE) begins for each
// row and head with the first key that the row sees; what stands behind its last key is not
// written.  Tested by tests/kernels/attention_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "op.h"

layout(constant_id = 1) const uint HEADS = 1;
layout(constant_id = 2) const uint D_K = 64;
layout(constant_id = 3) const uint STRIDE = 64;

PUSH(RowsPush, 6)
READS(uvec2, 1, key_ranges)
READS(vec4, 2, q)
READS(vec4, 3, k)
READS(float, 4, log_sum_exp)
WRITES(float, 5, weights)

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
    store_weights(own * STRIDE + key - range.x, exp(score * inversesqrt(float(D_K)) - log_sum));
  }
}
