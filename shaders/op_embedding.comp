// Embedding and position (paper, sections 3.4 and 3.5):  y = dropout(table[id] · √d_model +
// positions[place]).  The id NO_TOKEN is the zero vector.
// Tested by tests/kernels/embedding_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "lib/philox.glsl"
#include "op_embedding.h"

DECLARE(EMBEDDING)

void main() {
  const uint width = COLUMNS / 4;
  const uvec2 seed = uvec2(step_scalars.seed_low, step_scalars.seed_high);
  const uint step = step_scalars.step;
  const uint first = counts[pc.tokens_count + 1] * width;
  const uint end = min(counts[pc.rows_count], (gl_WorkGroupID.x + 1) * ROWS_PER_GROUP);
  for (uint row = gl_WorkGroupID.x * ROWS_PER_GROUP; row < end; ++row) {
    const uint id = load_ids(row);
    const uint place = load_places(row);
    for (uint column = lane(); column < width; column += LANES) {
      vec4 sum = load_positions(place * width + column);
      if (id != NO_TOKEN) sum += load_table(id * width + column) * pc.multiplier;
      const uint at = row * width + column;
      if (DROPS != 0)
        sum *= dropout_factors(first + at, pc.dropout_id, step, seed, pc.threshold, pc.scale);
      store_y(at, sum);
    }
  }
}
