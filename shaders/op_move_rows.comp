// Copies rows, or WIDTH columns of them, from x to y: gathered from the rows in a table, scattered
// to them, or in order.  The word after the count is the index of the first entry of the table, so
// that one table serves all steps of a recurrent layer.
// Tested by tests/kernels/recurrent_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "lib/tokens.h"
#include "op_move_rows.h"

DECLARE(MOVE_ROWS)

void main() {
  const uint first = counts[pc.rows_count + 1];
  const uint end = min(counts[pc.rows_count], (gl_WorkGroupID.x + 1) * ROWS_PER_GROUP);
  for (uint i = gl_WorkGroupID.x * ROWS_PER_GROUP; i < end; ++i) {
    uint entry = i;
    if (GATHER != 0 || SCATTER != 0) entry = load_table(first + i);
    if (entry == NO_TOKEN) continue;
    const uint x_at = ((GATHER != 0 ? entry : i) * X_COLUMNS + X_OFFSET) / 4;
    const uint y_at = ((SCATTER != 0 ? entry : i) * Y_COLUMNS + Y_OFFSET) / 4;
    for (uint column = lane(); column < WIDTH / 4; column += LANES) {
      vec4 value = vec4(0);
      if (ZERO == 0) value = load_x(x_at + column);
      store_y(y_at + column, ADD != 0 ? load_y(y_at + column) + value : value);
    }
  }
}
