// Attention of one step of a recurrent decoder: a = softmax of the scores of all source tokens of
// the sentence, context = Σ a · value.
//
//   FORWARD   scores vᵀ tanh(q + k) (Bahdanau et al., 2015) or q · k (Luong et al., 2015)
//   BACKWARD  gradients of the scores, and of the query
//
// Without softmax, which a parameter can switch off, the weights are the scores (linear start,
// Sukhbaatar et al., 2015).
//
// If a row has fewer keys than SLOTS, the softmax includes the missing ones, whose keys and values
// are vectors of zeros: their scores are 0, and the other weights add up to less than 1.
//
// Local attention (Luong et al., 2015) has a softmax over the keys s with |s − p| ≤ D only, where p
// is the center of the row and D is WINDOW; with GAUSSIAN, the weights are then multiplied by
// exp(−(s − p)² / 2σ²), σ = D / 2.  Other keys have the weight 0.
//
// Row i is the sentence of rank i, as in op_lstm.comp.  A workgroup is one row.  Keys are processed
// LANES at a time, one in each lane, with a running maximum and sum; then a lane has some columns
// of the context.  Each lane writes and reads again only the scores of its own keys.
// Tested by tests/kernels/step_attention_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "lib/gates.glsl"
#include "op_step_attention.h"

#ifdef FORWARD
DECLARE(STEP_ATTENTION)
#else
DECLARE(STEP_ATTENTION_BACKWARD)
#endif

const float LOWEST = -1e30;  // instead of −∞, so that no difference is NaN

// Only kernels with SWITCHED have a parameter to read.
bool is_linear() {
  return SWITCHED != 0 && load_softmax(0) == 0;
}

// The factor of the weight of a key.
float gaussian(uint key, float center) {
  if (GAUSSIAN == 0) return 1;
  const float distance = 2 * (float(key) - center) / float(WINDOW);  // in σ
  return exp(-0.5 * distance * distance);
}

void main() {
  const uint i = gl_WorkGroupID.x;
  if (i >= counts[pc.rows_count]) return;
  const uint row = load_table(counts[pc.rows_count + 1] + i);
  const uvec2 range = load_ranges(row);
  const uint width = COLUMNS / 4;
  const uint value_width = VALUE_COLUMNS / 4;
  const uint weights_at = row * STRIDE;
  const uint keys = range.y - range.x;
  const bool linear = is_linear();
  // The keys of the window.
  uint first = 0;
  uint end = keys;
  float center = 0;
  if (WINDOW != 0 && keys > 0) {
    center = load_centers(row);
    first = uint(max(ceil(center - float(WINDOW)), 0));
    end = uint(min(floor(center + float(WINDOW)), float(keys - 1))) + 1;
  }
#ifdef FORWARD
  float maximum = LOWEST;
  float sum = 0;
  vec4 result[PER_LANE];
  [[unroll]] for (uint c = 0; c < PER_LANE; ++c) result[c] = vec4(0);
  for (uint base = first; base < end; base += LANES) {
    const uint key = base + lane();
    const uint k_at = (range.x + min(key, end - 1)) * width;
    float score = 0;
    for (uint column = 0; column < width; ++column) {
      const vec4 q = load_q(i * width + column);
      const vec4 k = load_k(k_at + column);
      score += ADDITIVE != 0 ? dot(load_v(column), hyperbolic(q + k)) : dot(q, k);
    }
    if (KEEP != 0 && key < end) store_weights(weights_at + key, score);
    score = key < end ? score : LOWEST;
    const float new_maximum = max(maximum, lanes_max(score));
    const float shrink = linear ? 1.0 : exp(maximum - new_maximum);
    const float weight = key < end ? (linear ? score : exp(score - new_maximum)) : 0.0;
    sum = sum * shrink + lanes_add(weight);
    maximum = new_maximum;
    [[unroll]] for (uint c = 0; c < PER_LANE; ++c) result[c] *= shrink;
    const float share = weight * gaussian(key, center);
    const uint block = min(LANES, end - base);
    for (uint j = 0; j < block; ++j) {
      const float w = subgroupShuffle(share, j);
      const uint at = (range.x + base + j) * value_width;
      [[unroll]] for (uint c = 0; c < PER_LANE; ++c) {
        result[c] += w * load_values(at + min(c * LANES + lane(), value_width - 1));
      }
    }
  }
  if (keys < SLOTS && !linear) {
    const float new_maximum = max(maximum, 0);
    const float shrink = exp(maximum - new_maximum);
    sum = sum * shrink + float(SLOTS - keys) * exp(-new_maximum);
    maximum = new_maximum;
    [[unroll]] for (uint c = 0; c < PER_LANE; ++c) result[c] *= shrink;
  }
  const float inverse = linear ? 1.0 : sum > 0 ? 1.0 / sum : 0.0;
  [[unroll]] for (uint c = 0; c < PER_LANE; ++c) {
    const uint column = c * LANES + lane();
    if (column >= value_width) continue;
    store_context(i * value_width + column, result[c] * inverse);
    store_contexts(row * value_width + column, result[c] * inverse);
  }
  if (KEEP == 0) return;
  // The lane of a key is the one that stored its score.
  for (uint key = first + lane(); key < end && !linear; key += LANES) {
    const float weight = exp(load_weights(weights_at + key) - maximum) * inverse;
    store_weights(weights_at + key, weight * gaussian(key, center));
  }
  for (uint key = lane(); key < keys && WINDOW != 0; key += LANES) {
    if (key < first || key >= end) store_weights(weights_at + key, 0);
  }
  for (uint column = lane(); column < width; column += LANES) {
    store_queries(row * width + column, load_q(i * width + column));
  }
#else
  // The gradients of the weights, before that of the softmax.
  float mean = 0;
  float dcenter = 0;
  for (uint key = first + lane(); key < end; key += LANES) {
    const uint at = (range.x + key) * value_width;
    float gradient = 0;
    for (uint column = 0; column < value_width; ++column) {
      gradient += dot(load_dcontexts(row * value_width + column), load_values(at + column));
    }
    store_dscores(weights_at + key, gradient);
    mean += gradient * load_weights(weights_at + key);
    dcenter += gradient * load_weights(weights_at + key) * (float(key) - center);
  }
  mean = linear ? 0.0 : lanes_add(mean);
  if (GAUSSIAN != 0) {
    const float sum = 4 * lanes_add(dcenter) / float(WINDOW * WINDOW);
    if (lane() == 0) store_dcenters(row, sum);
  }
  vec4 result[PER_LANE];
  [[unroll]] for (uint c = 0; c < PER_LANE; ++c) result[c] = vec4(0);
  for (uint base = first; base < end; base += LANES) {
    const uint key = base + lane();
    float gradient = 0;
    if (key < end) {
      const float weight = linear ? 1.0 : load_weights(weights_at + key);
      // A weight is a share of the softmax times the factor of the key, which is not 0.
      const float factor = gaussian(key, center);
      gradient = weight * (load_dscores(weights_at + key) - mean / factor);
      store_dscores(weights_at + key, gradient);
    }
    const uint block = min(LANES, end - base);
    for (uint j = 0; j < block; ++j) {
      const float s = subgroupShuffle(gradient, j);
      const uint at = (range.x + base + j) * width;
      [[unroll]] for (uint c = 0; c < PER_LANE; ++c) {
        const uint column = min(c * LANES + lane(), width - 1);
        const vec4 k = load_k(at + column);
        if (ADDITIVE != 0) {
          const vec4 t = hyperbolic(load_queries(row * width + column) + k);
          result[c] += s * load_v(column) * (1 - t * t);
        } else {
          result[c] += s * k;
        }
      }
    }
  }
  for (uint key = lane(); key < keys && WINDOW != 0; key += LANES) {
    if (key < first || key >= end) store_dscores(weights_at + key, 0);
  }
  [[unroll]] for (uint c = 0; c < PER_LANE; ++c) {
    const uint column = c * LANES + lane();
    if (column >= width) continue;
    const uint at = i * width + column;
    store_dqueries(row * width + column, result[c]);
    store_dq(at, ADD != 0 ? load_dq(at) + result[c] : result[c]);
  }
#endif
}
