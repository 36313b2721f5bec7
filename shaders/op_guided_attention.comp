// The attention of one head compared with word alignments (Chen et al., 2016), and its gradients.
//
//   COSTS  the cost of each query, and the gradients of its scores
//   QUERY  adds Σ over keys of dscore · k to dq
//   KEY    adds Σ over queries of dscore · q to dk
//
// p = softmax(q kᵀ / √d_k) of the head HEAD, without dropout; a is 1 for linked keys, otherwise 0.
// The cost of a query is −Σ a / n ln(p + ε) for n linked keys, and 0 without one, or
// Σ (p − a)² / 2.  dscores are the gradients of weight · loss_scale · cost for the products q · k.
//
// Workgroup of COSTS: a query, keys in lanes; each lane reads only the elements of dscores that it
// has written.  Of the others: a row of dq or dk, columns in lanes.  The kernels of attention,
// which never store p, have written dq and dk before.  Tested by
// tests/kernels/guided_attention_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "op_guided_attention.h"

#if defined(COSTS)
DECLARE(GUIDED_ATTENTION)

const float LOWEST = -1e30;  // instead of −∞, so that no difference is NaN

// 1 if the key is linked, otherwise 0.
float linked(uint row, uint key) {
  return float(load_links(row * WORDS + key / 32) >> (key % 32) & 1);
}

// The derivative of the cost for the weight p of a key, of which `share` is a, or a / n.
float slope(float p, float share) {
  return COST == GUIDED_CROSS_ENTROPY ? -share / (p + GUIDED_EPSILON) : p - share;
}

void main() {
  const uint row = gl_WorkGroupID.x;
  if (row >= counts[pc.rows_count]) return;
  const uvec2 range = load_key_ranges(row);
  const uint keys = range.y - range.x;
  const uint at = row * STRIDE;
  const uint q_at = (row * HEADS + HEAD) * (D_K / 4);
  float maximum = LOWEST;
  float links = 0;
  for (uint key = lane(); key < keys; key += LANES) {
    float score = 0;
    for (uint i = 0; i < D_K / 4; ++i) {
      score += dot(load_q(q_at + i), load_k(((range.x + key) * HEADS + HEAD) * (D_K / 4) + i));
    }
    score *= inversesqrt(float(D_K));
    store_dscores(at + key, score);
    maximum = max(maximum, score);
    links += linked(row, key);
  }
  maximum = lanes_max(maximum);
  links = lanes_add(links);
  const float share = COST == GUIDED_CROSS_ENTROPY ? 1 / max(links, 1.0) : 1.0;
  float sum = 0;
  for (uint key = lane(); key < keys; key += LANES) {
    const float power = exp(load_dscores(at + key) - maximum);
    store_dscores(at + key, power);
    sum += power;
  }
  const float inverse = 1 / lanes_add(sum);
  float cost = 0;
  float mean = 0;
  for (uint key = lane(); key < keys; key += LANES) {
    const float p = load_dscores(at + key) * inverse;
    const float own = linked(row, key) * share;
    cost += COST == GUIDED_CROSS_ENTROPY ? -own * log(p + GUIDED_EPSILON)
                                         : 0.5 * (p - own) * (p - own);
    mean += p * slope(p, own);
  }
  cost = lanes_add(cost);
  mean = lanes_add(mean);
  if (lane() == 0) store_costs(row, vec2(cost));
  const float scale = pc.weight * step_scalars.loss_scale * inversesqrt(float(D_K));
  for (uint key = lane(); key < keys; key += LANES) {
    const float p = load_dscores(at + key) * inverse;
    store_dscores(at + key, p * (slope(p, linked(row, key) * share) - mean) * scale);
  }
}

#elif defined(QUERY)
DECLARE(GUIDED_ATTENTION_QUERY)

void main() {
  const uint row = gl_WorkGroupID.x;
  if (row >= counts[pc.rows_count]) return;
  const uvec2 range = load_key_ranges(row);
  for (uint column = lane(); column < D_K / 4; column += LANES) {
    vec4 sum = vec4(0);
    for (uint key = range.x; key < range.y; ++key) {
      sum += load_dscores(row * STRIDE + key - range.x) *
             load_k((key * HEADS + HEAD) * (D_K / 4) + column);
    }
    const uint place = (row * HEADS + HEAD) * (D_K / 4) + column;
    store_dq(place, load_dq(place) + sum);
  }
}

#else
DECLARE(GUIDED_ATTENTION_KEY)

void main() {
  const uint key = gl_WorkGroupID.x;
  if (key >= counts[pc.rows_count]) return;
  const uvec2 range = load_queries_of_key(key);
  for (uint column = lane(); column < D_K / 4; column += LANES) {
    vec4 sum = vec4(0);
    for (uint row = range.x; row < range.y; ++row) {
      sum += load_dscores(row * STRIDE + key - load_key_ranges(row).x) *
             load_q((row * HEADS + HEAD) * (D_K / 4) + column);
    }
    const uint place = (key * HEADS + HEAD) * (D_K / 4) + column;
    store_dk(place, load_dk(place) + sum);
  }
}
#endif
