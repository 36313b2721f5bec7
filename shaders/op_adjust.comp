// Adjustments of single logits of each row before the softmax, for tokens that a search forbids,
// favors or has already produced.
//
// The adjustments of row i are changes[ranges[i].x] … changes[ranges[i].y - 1], with distinct ids.
// Each is an id and a float, which is added to the logit; if the id has the bit ADJUST_REPEATED,
// the float is instead the factor of the repetition penalty (Keskar et al., 2019).
// Tested by tests/kernels/decoding_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "op_adjust.h"

DECLARE(ADJUST)

void main() {
  const uint row = gl_WorkGroupID.x;
  if (row >= counts[pc.rows_count]) return;
  const uvec2 range = load_ranges(row);
  for (uint i = range.x + lane(); i < range.y; i += LANES) {
    const uvec2 change = load_changes(i);
    const uint at = row * COLUMNS + (change.x & ~ADJUST_REPEATED);
    const float logit = load_logits(at);
    const float amount = uintBitsToFloat(change.y);
    const float lowered = logit > 0 ? logit / amount : logit * amount;
    store_logits(at, (change.x & ADJUST_REPEATED) != 0 ? lowered : logit + amount);
  }
}
