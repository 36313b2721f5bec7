// A mixture of the distributions of several models: adds the softmax of one model, with its weight.
//
// mixture (rows, COLUMNS) becomes ln Σ w p with LINEAR, otherwise Σ w ln p, over the models so far;
// pc.weight is ln w or w.  The FIRST model is written, the others are added.  Columns from
// pc.vocabulary on are padding with undefined values.  Three passes over each row: maximum, sum of
// exponentials, mixture.  Tested by tests/kernels/mixture_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "lib/finite.glsl"
#include "op_mixture.h"

DECLARE(MIXTURE)

const float LOWEST = -3e38;

void main() {
  const uint row = gl_WorkGroupID.x;
  if (row >= counts[pc.rows_count]) return;
  const uint width = COLUMNS / 4;
  const uint at = row * width;
  float maximum = LOWEST;
  for (uint i = lane(); i < width; i += LANES) {
    const vec4 value = load_logits(at + i);
    [[unroll]] for (uint c = 0; c < 4; ++c)
      maximum = 4 * i + c < pc.vocabulary ? max(maximum, value[c]) : maximum;
  }
  maximum = lanes_max(maximum);
  float sum = 0;
  for (uint i = lane(); i < width; i += LANES) {
    const vec4 value = exp(load_logits(at + i) - maximum);
    [[unroll]] for (uint c = 0; c < 4; ++c) sum += 4 * i + c < pc.vocabulary ? value[c] : 0.0;
  }
  const float log_sum = log(lanes_add(sum));
  for (uint i = lane(); i < width; i += LANES) {
    const vec4 log_p = load_logits(at + i) - maximum - log_sum;
    vec4 mixed = LINEAR != 0 ? pc.weight + log_p : pc.weight * log_p;
    if (FIRST == 0) {
      const vec4 before = load_mixture(at + i);
      if (LINEAR != 0) {
        // ln(eᵃ + eᵇ) relative to the larger one, so that no probability underflows.  The
        // difference is NaN if either is, unlike the maximum.
        const vec4 difference = before - mixed;
        const vec4 sum = max(before, mixed) + log(1 + exp(-abs(difference)));
        mixed = mix(sum, difference, are_nan(difference));
      } else {
        mixed += before;
      }
    }
    store_mixture(at + i, mixed);
  }
}
