// Embedding and position (paper, sections 3.4 and 3.5):  y = dropout(table[id] · √d_model +
// position[place]).
//
// table (vocabulary, COLUMNS), positions (longest, COLUMNS), ids and places (rows, 1), y (rows,
// COLUMNS).  The id NO_TOKEN is the zero vector.  Tested by tests/kernels/embedding_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/philox.glsl"
#include "op.h"

layout(constant_id = 1) const uint COLUMNS = 64;
layout(constant_id = 2) const uint DROPS = 1;

layout(push_constant) uniform Push { EmbeddingPush pc; };
layout(set = 0, binding = 1) readonly buffer Step { StepScalars step_scalars; };
layout(set = 0, binding = 2) readonly buffer Ids { uint ids[]; };
layout(set = 0, binding = 3) readonly buffer Places { uint places[]; };
layout(set = 0, binding = 4) readonly buffer Table { vec4 table[]; };
layout(set = 0, binding = 5) readonly buffer Positions { vec4 positions[]; };
layout(set = 0, binding = 6) writeonly buffer Y { vec4 y[]; };

void main() {
  const uint width = COLUMNS / 4;
  const uvec2 seed = uvec2(step_scalars.seed_low, step_scalars.seed_high);
  const uint step = step_scalars.step;
  const uint end = min(counts[pc.rows_count], (gl_WorkGroupID.x + 1) * ROWS_PER_GROUP);
  for (uint row = gl_WorkGroupID.x * ROWS_PER_GROUP; row < end; ++row) {
    const uint id = ids[row];
    const uint place = places[row];
    for (uint column = lane(); column < width; column += LANES) {
      vec4 sum = positions[place * width + column];
      if (id != NO_TOKEN) sum += table[id * width + column] * pc.multiplier;
      const uint at = row * width + column;
      if (DROPS != 0) sum *= dropout_factors(at, pc.site, step, seed, pc.threshold, pc.scale);
      y[at] = sum;
    }
  }
}
