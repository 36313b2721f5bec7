// What several models say together: each row's softmax of one model, weighted, goes into a mixture.
//
// logits (rows, COLUMNS) of one model; mixture (rows, COLUMNS) becomes ln Σ w p with LINEAR, and
// Σ w ln p without, over the models so far, where `weight` is ln w or w.  The FIRST model's is
// written, the others' are added.  Columns from pc.vocabulary on are padding, and hold numbers that
// mean nothing.  Each row goes through three passes: the maximum, the sum of exponentials, the
// mixture.  Tested by tests/kernels/mixture_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "op.h"

layout(constant_id = 1) const uint COLUMNS = 64;
layout(constant_id = 2) const uint FIRST = 1;
layout(constant_id = 3) const uint LINEAR = 1;
PUSH(MixturePush, 3)
READS(vec4, 1, logits)
UPDATES(vec4, 2, mixture)

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
      // ln(eᵃ + eᵇ) from the larger of both, so that no probability is too small for it.
      const vec4 larger = max(before, mixed);
      mixed = LINEAR != 0 ? larger + log(1 + exp(min(before, mixed) - larger)) : before + mixed;
    }
    store_mixture(at + i, mixed);
  }
}
