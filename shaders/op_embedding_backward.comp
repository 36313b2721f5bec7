// Gradient of an embedding table: for each distinct id, the sum of the gradients of the rows that
// used it.
//
//   gradient (vocabulary, COLUMNS) += multiplier · Σ dropout(dy)
//
// Rows are sorted by id, in segments: segment s has the id segment_ids[s] and the rows
// sorted_rows[segment_begins[s] … segment_begins[s + 1] - 1].  One subgroup sums one segment in
// order, so there are no atomics, and the work is proportional to the number of rows.
//
// Workgroup (segment, column group).  A kernel does not loop over columns, so that a batch that
// consists of one token only stays within the 65 535 iterations per invocation of lavapipe 22.3.
// Tested by tests/kernels/embedding_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "lib/philox.glsl"
#include "op_embedding_backward.h"

DECLARE(EMBEDDING_BACKWARD)

void main() {
  const uint width = COLUMNS / 4;
  const uvec2 seed = uvec2(step_scalars.seed_low, step_scalars.seed_high);
  const uint step = step_scalars.step;
  const uint first = counts[pc.tokens_count + 1] * width;
  const uint segment = gl_WorkGroupID.x;
  if (segment >= counts[pc.segments_count]) return;
  const uint id = load_segment_ids(segment);
  const uint begin = load_segment_begins(segment);
  const uint end = load_segment_begins(segment + 1);
  const uint column = gl_WorkGroupID.y * LANES + lane();
  if (column >= width) return;
  vec4 sum = vec4(0);
  for (uint i = begin; i < end; ++i) {
    const uint at = load_sorted_rows(i) * width + column;
    vec4 d = load_dy(at);
    if (DROPS != 0)
      d *= dropout_factors(first + at, pc.dropout_id, step, seed, pc.threshold, pc.scale);
    sum += d;
  }
  store_gradient(id * width + column, load_gradient(id * width + column) + sum * pc.multiplier);
}
