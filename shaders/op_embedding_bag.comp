// Sums of embeddings over ranges of rows, weighted by the position in the range:
//
//   y[bag] = Σ weight(row) ∘ table[id[row]]
//
// A workgroup is one bag, whose rows are added in order.
// Tested by tests/kernels/embedding_bag_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "lib/bag.glsl"
#include "op_embedding_bag.h"

DECLARE(EMBEDDING_BAG)

void main() {
  const uint bag = gl_WorkGroupID.x;
  if (bag >= counts[pc.bags_count]) return;
  const uvec2 range = load_rows_of_bag(bag);
  const uint width = COLUMNS / 4;
  for (uint column = lane(); column < width; column += LANES) {
    vec4 sum = vec4(0);
    for (uint row = range.x; row < range.y; ++row) {
      vec4 value = load_table(load_ids(row) * width + column);
      if (WEIGHTS == BAG_POSITION)
        value *= position_weights(row - range.x + 1, range.y - range.x, column, COLUMNS);
      sum += value;
    }
    store_y(bag * width + column, sum);
  }
}
