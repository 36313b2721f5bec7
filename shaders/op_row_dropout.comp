// Dropout with a mask for each number in a table: y = dropout(a), plus x with HAS_X.  With the same
// number for all rows of a sentence, it is the dropout of Gal and Ghahramani (2016).  The gradient
// of `a` is the same operation on dy.  The word after the count is the index of the first entry of
// the table.  Tested by tests/kernels/recurrent_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "lib/philox.glsl"
#include "op_row_dropout.h"

DECLARE(ROW_DROPOUT)

void main() {
  const uint width = COLUMNS / 4;
  const uvec2 seed = uvec2(step_scalars.seed_low, step_scalars.seed_high);
  const uint step = step_scalars.step;
  const uint first = counts[pc.rows_count + 1];
  const uint end = min(counts[pc.rows_count], (gl_WorkGroupID.x + 1) * ROWS_PER_GROUP);
  for (uint row = gl_WorkGroupID.x * ROWS_PER_GROUP; row < end; ++row) {
    const uint mask = load_masks(first + row) * width;
    for (uint column = lane(); column < width; column += LANES) {
      const uint at = row * width + column;
      vec4 value = load_a(at) * dropout_factors(mask + column, pc.dropout_id, step, seed,
                                                pc.threshold, pc.scale);
      if (HAS_X != 0) value += load_x(at);
      store_y(at, ADD != 0 ? load_y(at) + value : value);
    }
  }
}
