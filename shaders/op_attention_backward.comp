// Gradients of attention, without atomics, in two kernels that recompute the weights p from
// log_sum_exp:
//
//   QUERY  for each query row: delta = Σ dy · y, kept for the second kernel;
//          ds = p (dy vᵀ − delta) / √d_k; dq = ds k
//   KEY    for each key row, over the query rows that see it: dv = p dy; dk = ds q
//
// A lane takes one partner row (a key in QUERY, a query in KEY) for the scores, then owns some
// columns of the result. query_ranges[j] is the range of query rows that may see key row j;
// key_ranges decides.  With dropout p is masked and scaled where it meets v, and ds as well.
// Shapes as in op_attention.comp.  Tested by tests/kernels/attention_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "lib/philox.glsl"
#include "op.h"

layout(constant_id = 1) const uint HEADS = 1;
layout(constant_id = 2) const uint D_K = 64;
layout(constant_id = 3) const uint D_V = 64;
layout(constant_id = 4) const uint K_PER_LANE = 2;  // ceil(D_K / 4 / LANES)
layout(constant_id = 5) const uint V_PER_LANE = 2;  // ceil(D_V / 4 / LANES)
layout(constant_id = 6) const uint DROPS = 0;

PUSH(AttentionPush, 11)
layout(set = 0, binding = 1) readonly buffer Step { StepScalars step_scalars; };
READS(uvec2, 2, ranges)  // of partner rows
READS(vec4, 3, q)
READS(vec4, 4, k)
READS(vec4, 5, v)
READS(vec4, 6, dy)
READS(float, 7, log_sum_exp)
#ifdef QUERY
READS(vec4, 8, y)
WRITES(float, 9, deltas)
WRITES(vec4, 10, dq)
#else
READS(float, 8, deltas)
WRITES(vec4, 9, dk)
WRITES(vec4, 10, dv)
#endif

struct Pair {
  float weight;  // p, masked and scaled: what meets v
  float score;   // gradient of the score, 1/√d_k included
};

Pair pair_of(uint query, uint key, uint head, float delta) {
  const uint q_at = (query * HEADS + head) * (D_K / 4);
  const uint k_at = (key * HEADS + head) * (D_K / 4);
  const uint dy_at = (query * HEADS + head) * (D_V / 4);
  const uint v_at = (key * HEADS + head) * (D_V / 4);
  float score = 0;
  for (uint i = 0; i < D_K / 4; ++i) score += dot(load_q(q_at + i), load_k(k_at + i));
  float dweight = 0;
  for (uint i = 0; i < D_V / 4; ++i) dweight += dot(load_dy(dy_at + i), load_v(v_at + i));
  float factor = 1;
  if (DROPS != 0) {
    const uvec4 words = philox(uvec4(query, key, (pc.site << 8) | head, step_scalars.step),
                               uvec2(step_scalars.seed_low, step_scalars.seed_high));
    factor = words.x >= pc.threshold ? pc.scale : 0.0;
  }
  const float root = inversesqrt(float(D_K));
  const float p = exp(score * root - load_log_sum_exp(query * HEADS + head));
  return Pair(p * factor, p * (dweight * factor - delta) * root);
}

void main() {
  const uint row = gl_WorkGroupID.x;
  const uint head = gl_WorkGroupID.y;
  if (row >= counts[pc.rows_count]) return;
  const uvec2 range = load_ranges(row);
  const uint k_row = (row * HEADS + head) * (D_K / 4);
  const uint v_row = (row * HEADS + head) * (D_V / 4);

#ifdef QUERY
  float part = 0;
  for (uint i = lane(); i < D_V / 4; i += LANES) part += dot(load_dy(v_row + i), load_y(v_row + i));
  const float delta = lanes_add(part);
  if (lane() == 0) store_deltas(row * HEADS + head, delta);
#else
  vec4 dv_sum[V_PER_LANE];
  [[unroll]] for (uint i = 0; i < V_PER_LANE; ++i) dv_sum[i] = vec4(0);
#endif
  vec4 sum[K_PER_LANE];
  [[unroll]] for (uint i = 0; i < K_PER_LANE; ++i) sum[i] = vec4(0);

  for (uint base = range.x; base < range.y; base += LANES) {
    const uint partner = min(base + lane(), range.y - 1);
#ifdef QUERY
    Pair pair = pair_of(row, partner, head, delta);
#else
    Pair pair = pair_of(partner, row, head, load_deltas(partner * HEADS + head));
#endif
    const uint partners = min(LANES, range.y - base);
    for (uint j = 0; j < partners; ++j) {
      const uint other = (base + j) * HEADS + head;
      const float ds = subgroupShuffle(pair.score, j);
      [[unroll]] for (uint i = 0; i < K_PER_LANE; ++i) {
        const uint column = min(i * LANES + lane(), D_K / 4 - 1);
#ifdef QUERY
        sum[i] += ds * load_k(other * (D_K / 4) + column);
#else
        sum[i] += ds * load_q(other * (D_K / 4) + column);
#endif
      }
#ifdef KEY
      const float weight = subgroupShuffle(pair.weight, j);
      [[unroll]] for (uint i = 0; i < V_PER_LANE; ++i) {
        dv_sum[i] += weight * load_dy(other * (D_V / 4) + min(i * LANES + lane(), D_V / 4 - 1));
      }
#endif
    }
  }
  [[unroll]] for (uint i = 0; i < K_PER_LANE; ++i) {
    const uint column = i * LANES + lane();
    if (column >= D_K / 4) continue;
#ifdef QUERY
    store_dq(k_row + column, sum[i]);
#else
    store_dk(k_row + column, sum[i]);
#endif
  }
#ifdef KEY
  [[unroll]] for (uint i = 0; i < V_PER_LANE; ++i) {
    const uint column = i * LANES + lane();
    if (column < D_V / 4) store_dv(v_row + column, dv_sum[i]);
  }
#endif
}
