// Single logits of each row changed before they become probabilities: tokens that a search forbids,
// favours or has had already.
//
// logits (rows, COLUMNS); the changes of row i are those from ranges[i].x to ranges[i].y - 1, no id
// twice.  A change is an id and a float: added to the logit, or, where the id carries
// ADJUST_REPEATED, the factor by which the logit of a token that has been said moves down (Keskar
// et al., 2019).  Tested by tests/kernels/decoding_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "op.h"

layout(constant_id = 1) const uint COLUMNS = 64;
PUSH(RowsPush, 4)
READS(uvec2, 1, ranges)
READS(uvec2, 2, changes)
UPDATES(float, 3, logits)

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
