// Gradient of the table of bags of embeddings:
//
//   gradient[id] += Σ over rows of the id, and over bags of the row, of weight(row) ∘ dy[bag]
//
// Rows are sorted by id, in segments, as in op_embedding_backward.comp.  One subgroup sums one
// segment in order, so there are no atomics.  Workgroup (segment, column group).
// Tested by tests/kernels/embedding_bag_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "lib/bag.glsl"
#include "op_embedding_bag_backward.h"

DECLARE(EMBEDDING_BAG_BACKWARD)

void main() {
  const uint width = COLUMNS / 4;
  const uint segment = gl_WorkGroupID.x;
  if (segment >= counts[pc.segments_count]) return;
  const uint id = load_segment_ids(segment);
  const uint begin = load_segment_begins(segment);
  const uint end = load_segment_begins(segment + 1);
  const uint column = gl_WorkGroupID.y * LANES + lane();
  if (column >= width) return;
  vec4 sum = vec4(0);
  for (uint i = begin; i < end; ++i) {
    const uint row = load_sorted_rows(i);
    const uvec2 bags = load_bags_of_row(row);
    for (uint bag = bags.x; bag < bags.y; ++bag) {
      const uvec2 range = load_rows_of_bag(bag);
      vec4 d = load_dy(bag * width + column);
      if (WEIGHTS == BAG_POSITION)
        d *= position_weights(row - range.x + 1, range.y - range.x, column, COLUMNS);
      sum += d;
    }
  }
  const uint at = id * width + column;
  store_gradient(at, load_gradient(at) + sum);
}
