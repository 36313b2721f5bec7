// totals[0] = Σ over rows of pairs, by one subgroup in a fixed order, with Kahan summation because
// there may be many thousand losses.  Tested by tests/kernels/loss_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "op_row_sum.h"

DECLARE(ROW_SUM)

void main() {
  const uint rows = counts[pc.rows_count];
  precise vec2 sum = vec2(0);
  precise vec2 correction = vec2(0);
  for (uint row = lane(); row < rows; row += LANES) {
    const vec2 value = load_pairs(row) - correction;
    const vec2 next = sum + value;
    correction = (next - sum) - value;
    sum = next;
  }
  const vec2 total = vec2(lanes_add(sum.x), lanes_add(sum.y));
  if (lane() == 0) store_totals(0, total);
}
