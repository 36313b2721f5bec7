// Label-smoothed cross entropy of a chunk of rows, and its gradient in place (paper, section 5.4).
//
// The target distribution q is 1 − ε for the true token and ε / (V − 1) for each other token.
// losses[row] = (−Σ q ln p, −ln p[target]).  With GRADIENT, logits become (p − q) · loss_scale.
// A row with the target NO_TOKEN has the losses and the gradient 0.  Columns from V on are padding
// and get the gradient 0.  Three passes over the row: maximum; sum of exponentials and of logits;
// gradient.  Tested by tests/kernels/loss_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "op_loss.h"

DECLARE(LOSS)

const float LOWEST = -1e30;

vec4 masked(vec4 value, uint column, float padding) {
  const uvec4 columns = 4 * column + uvec4(0, 1, 2, 3);
  return mix(vec4(padding), value, lessThan(columns, uvec4(pc.vocabulary)));
}

void main() {
  const uint row = gl_WorkGroupID.x;
  if (row >= counts[pc.rows_count]) return;
  const uint width = COLUMNS / 4;
  const uint at = row * width;
  const uint target = load_targets(row);
  if (target == NO_TOKEN) {
    if (lane() == 0) store_losses(row, vec2(0));
    for (uint i = lane(); GRADIENT != 0 && i < width; i += LANES) store_logits(at + i, vec4(0));
    return;
  }

  vec4 best = vec4(LOWEST);
  for (uint i = lane(); i < width; i += LANES) {
    best = max(best, masked(load_logits(at + i), i, LOWEST));
  }
  const float maximum = lanes_max(max(max(best.x, best.y), max(best.z, best.w)));

  vec4 exponentials = vec4(0);
  vec4 differences = vec4(0);
  for (uint i = lane(); i < width; i += LANES) {
    const vec4 value = load_logits(at + i) - maximum;
    exponentials += masked(exp(value), i, 0);
    differences += masked(value, i, 0);
  }
  const float sum = lanes_add(dot(exponentials, vec4(1)));
  const float total = lanes_add(dot(differences, vec4(1)));
  const float log_sum = log(sum);

  const float others = pc.vocabulary > 1 ? pc.smoothing / float(pc.vocabulary - 1) : 0.0;
  const float truth = 1.0 - pc.smoothing;
  const float target_logit = load_logits(at + target / 4)[target % 4] - maximum;
  // Stored by the lane that later overwrites the logit of the target, so that it cannot be ahead of
  // a lane that still reads the logit.
  if (lane() == (target / 4) % LANES) {
    const float nll = log_sum - target_logit;
    // −Σ q ln p = others · (V ln Σ − Σ x) + (truth − others) · nll, with sums over all tokens.
    const float all = float(pc.vocabulary) * log_sum - total;
    store_losses(row, vec2((truth - others) * nll + others * all, nll));
  }
  if (GRADIENT == 0) return;
  const float scale = step_scalars.loss_scale;
  for (uint i = lane(); i < width; i += LANES) {
    vec4 d = exp(load_logits(at + i) - maximum) / sum - others;
    if (i == target / 4) d[target % 4] -= truth - others;
    store_logits(at + i, masked(d * scale, i, 0));
  }
}
