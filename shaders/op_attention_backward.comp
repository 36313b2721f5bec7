// Gradients of attention, without atomics, in two kernels that recompute the weights p from
// log_sum_exp:
//
//   QUERY  for each query row: delta = Σ dy · y, stored for the second kernel;
//          ds = p (dy vᵀ − delta) / √d_k; dq = ds k
//   KEY    for each key row, over the query rows that attend to it: dv = p dy; dk = ds q
//
// Workgroup (tile of own rows, head).  Other rows (keys in QUERY, queries in KEY) are processed
// in blocks, from the first to the last other row of any row of the tile; `ranges` has the other
// rows of each own row.  With dropout, p is masked and scaled in products with v, and so is ds.
// Tested by tests/kernels/attention_test.cpp.
//
// With BIASED, as in op_attention.comp; op_attention_bias.comp computes the gradient of the biases.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "lib/philox.glsl"
#include "op_attention_backward.h"

#if defined(QUERY) && defined(BIASED)
DECLARE_CONSTANTS(ATTENTION_BIASED_QUERY)
#include "lib/attention.glsl"
DECLARE_OPERANDS(ATTENTION_BIASED_QUERY)
#elif defined(QUERY)
DECLARE_CONSTANTS(ATTENTION_BACKWARD_QUERY)
#include "lib/attention.glsl"
DECLARE_OPERANDS(ATTENTION_BACKWARD_QUERY)
#elif defined(BIASED)
DECLARE_CONSTANTS(ATTENTION_BIASED_KEY)
#include "lib/attention.glsl"
DECLARE_OPERANDS(ATTENTION_BIASED_KEY)
#else
DECLARE_CONSTANTS(ATTENTION_BACKWARD_KEY)
#include "lib/attention.glsl"
DECLARE_OPERANDS(ATTENTION_BACKWARD_KEY)
#endif
#include "lib/relative_bias.glsl"

#ifdef QUERY
#define SCORES_OF_OWN_K(scores) SCORES(scores, D_K, load_q, load_k)
#define SCORES_OF_OWN_V(scores) SCORES(scores, D_V, load_dy, load_v)
#define load_other_k load_k
#define store_own_k store_dq
#else
#define SCORES_OF_OWN_K(scores) SCORES(scores, D_K, load_k, load_q)
#define SCORES_OF_OWN_V(scores) SCORES(scores, D_V, load_v, load_dy)
#define load_other_k load_q
#define store_own_k store_dk
#endif

// The factor of dropout for a weight: 0, or the scale of weights that are not dropped.
float dropout_factor(uint row, uint other, uint head) {
  if (DROPS == 0) return 1;
  const uint own = counts[pc.rows_count + 1] + row;
  const uint other_index = counts[pc.other_rows_count + 1] + other;
#ifdef QUERY
  const uvec2 pair = uvec2(own, other_index);
#else
  const uvec2 pair = uvec2(other_index, own);
#endif
  const bool keeps =
      keeps_weight(pair, head, pc.dropout_id, step_scalars.step,
                   uvec2(step_scalars.seed_low, step_scalars.seed_high), pc.threshold);
  return keeps ? pc.scale : 0.0;
}

void main() {
  const uint rows = counts[pc.rows_count];
  const uint row0 = gl_WorkGroupID.x * T;
  const uint head = gl_WorkGroupID.y;
  const uint tile_rows = min(T, rows - row0);
  uint own_row[T_LOADS];
  uvec2 range[T_LOADS];
  uint base = ~0u;
  uint end = 0;
  [[unroll]] for (uint t = 0; t < T_LOADS; ++t) {
    own_row[t] = min(row0 + tile_row(t), rows - 1);
    range[t] = load_ranges(own_row[t]);
    const bool has_other_rows = range[t].x < range[t].y;
    base = min(base, ~lanes_max(has_other_rows ? ~range[t].x : 0));
    end = max(end, lanes_max(has_other_rows ? range[t].y : 0));
  }

#ifdef QUERY
  float own_log_sum[T_LOADS];
  float own_delta[T];
  [[unroll]] for (uint t = 0; t < T_LOADS; ++t) {
    own_log_sum[t] = load_log_sum_exp(own_row[t] * HEADS + head);
  }
  [[unroll]] for (uint r = 0; r < T; ++r) {
    const uint at = (min(row0 + r, rows - 1) * HEADS + head) * (D_V / 4);
    float part = 0;
    [[unroll]] for (uint c = 0; c < V_PER_LANE; ++c) {
      const uint column = c * LANES + lane();
      const uint safe = min(column, D_V / 4 - 1);
      const float product = dot(load_dy(at + safe), load_y(at + safe));
      part += column < D_V / 4 ? product : 0;
    }
    own_delta[r] = lanes_add(part);
    if (lane() == 0 && r < tile_rows) store_deltas((row0 + r) * HEADS + head, own_delta[r]);
  }
#else
  vec4 dv_sum[T][V_PER_LANE];
  [[unroll]] for (uint r = 0; r < T; ++r) {
    [[unroll]] for (uint c = 0; c < V_PER_LANE; ++c) dv_sum[r][c] = vec4(0);
  }
#endif
  vec4 dk_sum[T][K_PER_LANE];  // dq in QUERY
  [[unroll]] for (uint r = 0; r < T; ++r) {
    [[unroll]] for (uint c = 0; c < K_PER_LANE; ++c) dk_sum[r][c] = vec4(0);
  }

  const float root = inversesqrt(float(D_K));
  for (; base < end; base += OTHER_ROWS) {
    uint place[KEYS_PER_LANE];
    uint other[KEYS_PER_LANE];
    [[unroll]] for (uint j = 0; j < KEYS_PER_LANE; ++j) {
      place[j] = base + j * LANES + lane();
      other[j] = min(place[j], end - 1);
    }
    float weights[T][KEYS_PER_LANE];
    float gradients[T][KEYS_PER_LANE];
    SCORES_OF_OWN_K(weights)
    SCORES_OF_OWN_V(gradients)
    [[unroll]] for (uint j = 0; j < KEYS_PER_LANE; ++j) {
#ifdef KEY
      const float log_sum = load_log_sum_exp(other[j] * HEADS + head);
      const float delta = load_deltas(other[j] * HEADS + head);
#endif
      [[unroll]] for (uint r = 0; r < T; ++r) {
#ifdef QUERY
        const float log_sum = OF_ROW(own_log_sum, r);
        const float delta = own_delta[r];
#endif
        const float factor = dropout_factor(row0 + r, place[j], head);
        const uint first_other = subgroupShuffle(range[r / LANES].x, r % LANES);
        const uint end_other = subgroupShuffle(range[r / LANES].y, r % LANES);
        const bool attends = place[j] >= first_other && place[j] < end_other;
        const float score = weights[r][j] * root PLUS_BIAS(DISTANCE(row0 + r, place[j]));
        const float p = mix(0.0, exp(score - log_sum), attends);
        weights[r][j] = p * factor;
        gradients[r][j] = p * (gradients[r][j] * factor - delta) * root;
      }
    }
    ADD_WEIGHTED(dk_sum, gradients, D_K, K_PER_LANE, load_other_k)
#ifdef KEY
    ADD_WEIGHTED(dv_sum, weights, D_V, V_PER_LANE, load_dy)
#endif
  }

  [[unroll]] for (uint r = 0; r < T; ++r) {
    if (r >= tile_rows) continue;
    const uint at = (row0 + r) * HEADS + head;
    [[unroll]] for (uint c = 0; c < K_PER_LANE; ++c) {
      const uint column = c * LANES + lane();
      if (column < D_K / 4) store_own_k(at * (D_K / 4) + column, dk_sum[r][c]);
    }
#ifdef KEY
    [[unroll]] for (uint c = 0; c < V_PER_LANE; ++c) {
      const uint column = c * LANES + lane();
      if (column < D_V / 4) store_dv(at * (D_V / 4) + column, dv_sum[r][c]);
    }
#endif
  }
}
