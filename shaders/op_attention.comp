// Attention over packed sentences (paper, section 3.2): y = softmax(q kᵀ / √d_k) v for each head.
//
// Query row i attends to the key rows key_ranges[i].x … key_ranges[i].y - 1: its own sentence in
// the encoder, its prefix in the decoder, the source sentence in encoder-decoder attention.  The
// matrix of scores is never stored: keys are processed in blocks with a running maximum and sum,
// and the backward pass only needs log_sum_exp.
//
// Workgroup (tile of query rows, head).  A tile may contain rows of several sentences.  They are
// processed one after the other, in blocks that start at the first key of the sentence, with
// weights of zero for the rows of other sentences.  So the result for a sentence is bit-identical
// whatever else is in the batch.  Tested by tests/kernels/attention_test.cpp.
//
// With BIASED, biases by relative positions are added to the scores of self-attention, whose
// queries and keys are the same rows.  Tested by tests/kernels/relative_attention_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "lib/philox.glsl"
#include "op_attention.h"

#ifdef BIASED
DECLARE_CONSTANTS(ATTENTION_BIASED)
#include "lib/attention.glsl"
DECLARE_OPERANDS(ATTENTION_BIASED)
#else
DECLARE_CONSTANTS(ATTENTION)
#include "lib/attention.glsl"
DECLARE_OPERANDS(ATTENTION)
#endif
#include "lib/relative_bias.glsl"

const float LOWEST = -1e30;  // instead of −∞, so that no difference is NaN

void main() {
  const uint rows = counts[pc.rows_count];
  const uint first_row = counts[pc.rows_count + 1];
  const uint first_key = counts[pc.other_rows_count + 1];
  const uint row0 = gl_WorkGroupID.x * T;
  const uint head = gl_WorkGroupID.y;
  const uint tile_rows = min(T, rows - row0);
  uint own_row[T_LOADS];
  uvec2 range[T_LOADS];
  [[unroll]] for (uint t = 0; t < T_LOADS; ++t) {
    own_row[t] = min(row0 + tile_row(t), rows - 1);
    range[t] = load_key_ranges(own_row[t]);
  }
  float maximum[T];
  float sum[T];
  vec4 result[T][V_PER_LANE];
  [[unroll]] for (uint r = 0; r < T; ++r) {
    maximum[r] = LOWEST;
    sum[r] = 0;
    [[unroll]] for (uint c = 0; c < V_PER_LANE; ++c) result[r][c] = vec4(0);
  }

  uint done = 0;  // rows of the tile whose sentences have been processed
  while (done < tile_rows) {
    // The sentence of row `done`: the begin and end of its keys, and the rows that belong to it.
    uint begin = 0;
    [[unroll]] for (uint t = 0; t < T_LOADS; ++t) {
      begin = done / LANES == t ? subgroupShuffle(range[t].x, done % LANES) : begin;
    }
    uint key_end[T_LOADS];
    uint end = begin;
    uint last = 0;
    [[unroll]] for (uint t = 0; t < T_LOADS; ++t) {
      const bool belongs = range[t].x == begin;
      key_end[t] = belongs ? range[t].y : 0;
      end = max(end, lanes_max(key_end[t]));
      last = max(last, lanes_max(belongs ? tile_row(t) + 1 : 0));
    }
    done = max(last, done + 1);

    for (uint base = begin; base < end; base += OTHER_ROWS) {
      uint key[KEYS_PER_LANE];
      uint other[KEYS_PER_LANE];
      [[unroll]] for (uint j = 0; j < KEYS_PER_LANE; ++j) {
        key[j] = base + j * LANES + lane();
        other[j] = min(key[j], end - 1);
      }
      float weights[T][KEYS_PER_LANE];
      SCORES(weights, D_K, load_q, load_k)

      [[unroll]] for (uint r = 0; r < T; ++r) {
        const uint limit = OF_ROW(key_end, r);
        float best = LOWEST;
        [[unroll]] for (uint j = 0; j < KEYS_PER_LANE; ++j) {
          const float score =
              weights[r][j] * inversesqrt(float(D_K)) PLUS_BIAS(DISTANCE(row0 + r, key[j]));
          weights[r][j] = mix(LOWEST, score, key[j] < limit);
          best = max(best, weights[r][j]);
        }
        const float new_maximum = max(maximum[r], lanes_max(best));
        const float shrink = exp(maximum[r] - new_maximum);
        float part = 0;
        [[unroll]] for (uint j = 0; j < KEYS_PER_LANE; ++j) {
          weights[r][j] = mix(0.0, exp(weights[r][j] - new_maximum), key[j] < limit);
          part += weights[r][j];
        }
        sum[r] = sum[r] * shrink + lanes_add(part);
        maximum[r] = new_maximum;
        [[unroll]] for (uint c = 0; c < V_PER_LANE; ++c) result[r][c] *= shrink;
        if (DROPS != 0) {
          [[unroll]] for (uint j = 0; j < KEYS_PER_LANE; ++j) {
            const bool keeps =
                keeps_weight(uvec2(first_row + row0 + r, first_key + key[j]), head, pc.dropout_id,
                             step_scalars.step,
                             uvec2(step_scalars.seed_low, step_scalars.seed_high), pc.threshold);
            weights[r][j] *= keeps ? pc.scale : 0.0;
          }
        }
      }
      ADD_WEIGHTED(result, weights, D_V, V_PER_LANE, load_v)
    }
  }

  [[unroll]] for (uint r = 0; r < T; ++r) {
    if (r >= tile_rows) continue;
    const float inverse = sum[r] > 0 ? 1.0 / sum[r] : 0.0;
    const uint at = (row0 + r) * HEADS + head;
    [[unroll]] for (uint c = 0; c < V_PER_LANE; ++c) {
      const uint column = c * LANES + lane();
      if (column < D_V / 4) store_y(at * (D_V / 4) + column, result[r][c] * inverse);
    }
    if (lane() == 0) store_log_sum_exp(at, maximum[r] + log(sum[r]));
  }
}
