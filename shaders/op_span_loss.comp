// Cross entropy of the first and the last row of a span of each sentence, and its gradient.
//
// p = softmax of column 0 over the rows of the sentence, q = the same of column 1:
// losses[sentence] = −ln p[first] − ln q[last], twice.  With GRADIENT, the logits become
// (p − 1[row = first], q − 1[row = last]) · loss_scale, and the padding 0.  Workgroup: a sentence;
// a lane processes every LANES-th row.  Tested by tests/kernels/span_loss_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "op_span_loss.h"

DECLARE(SPAN_LOSS)

const float LOWEST = -1e30;

void main() {
  const uint sentence = gl_WorkGroupID.x;
  if (sentence >= counts[pc.sentences_count]) return;
  const uvec2 range = load_ranges(sentence);
  const uvec2 target = load_targets(sentence);

  vec2 best = vec2(LOWEST);
  for (uint row = range.x + lane(); row < range.y; row += LANES)
    best = max(best, load_logits(row).xy);
  const vec2 maximum = vec2(lanes_max(best.x), lanes_max(best.y));

  vec2 exponentials = vec2(0);
  vec2 of_target = vec2(0);
  for (uint row = range.x + lane(); row < range.y; row += LANES) {
    const vec2 value = load_logits(row).xy - maximum;
    exponentials += exp(value);
    of_target += mix(vec2(0), value, equal(uvec2(row), target));
  }
  const vec2 sum = vec2(lanes_add(exponentials.x), lanes_add(exponentials.y));
  const vec2 logit = vec2(lanes_add(of_target.x), lanes_add(of_target.y));
  const vec2 nll = log(sum) - logit;
  if (lane() == 0) store_losses(sentence, vec2(nll.x + nll.y));
  if (GRADIENT == 0) return;

  const float scale = step_scalars.loss_scale;
  for (uint row = range.x + lane(); row < range.y; row += LANES) {
    const vec2 p = exp(load_logits(row).xy - maximum) / sum;
    const vec2 truth = vec2(equal(uvec2(row), target));
    store_logits(row, vec4((p - truth) * scale, 0, 0));
  }
}
