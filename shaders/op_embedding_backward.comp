// Gradient of an embedding table: for each distinct id, the sum of the gradients of the rows that
// used it.
//
// Rows come sorted by id, as segments: segment s is of id segment_ids[s] and holds the rows
// sorted_rows[segment_begins[s] … segment_begins[s + 1]).  One subgroup sums one segment in order:
// no atomics, and work in proportion to the rows.
//
//   gradient (vocabulary, COLUMNS) += multiplier · Σ dropout(dy)
//
// Workgroup (segment, column group): columns are no loop of a kernel, because a token that fills a
// whole batch must stay within the 65 535 rounds that lavapipe 22.3 grants an invocation.
// Tested by tests/kernels/embedding_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "lib/philox.glsl"
#include "op.h"

layout(constant_id = 1) const uint COLUMNS = 64;
layout(constant_id = 2) const uint DROPS = 1;

PUSH(EmbeddingPush, 7)
layout(set = 0, binding = 1) readonly buffer Step { StepScalars step_scalars; };
READS(uint, 2, segment_ids)
READS(uint, 3, segment_begins)
READS(uint, 4, sorted_rows)
READS(vec4, 5, dy)
UPDATES(vec4, 6, gradient)

void main() {
  const uint width = COLUMNS / 4;
  const uvec2 seed = uvec2(step_scalars.seed_low, step_scalars.seed_high);
  const uint step = step_scalars.step;
  const uint first = counts[pc.tokens_count + 1] * width;
  const uint segment = gl_WorkGroupID.x;
  if (segment >= counts[pc.rows_count]) return;
  const uint id = load_segment_ids(segment);
  const uint begin = load_segment_begins(segment);
  const uint end = load_segment_begins(segment + 1);
  const uint column = gl_WorkGroupID.y * LANES + lane();
  if (column >= width) return;
  vec4 sum = vec4(0);
  for (uint i = begin; i < end; ++i) {
    const uint at = load_sorted_rows(i) * width + column;
    vec4 d = load_dy(at);
    if (DROPS != 0) d *= dropout_factors(first + at, pc.site, step, seed, pc.threshold, pc.scale);
    sum += d;
  }
  store_gradient(id * width + column, load_gradient(id * width + column) + sum * pc.multiplier);
}
