// Restricts each row of logits to the tokens that its sentence may have: the other logits become
// pc.masked.  Bits beyond the size of the vocabulary do not matter.
// Tested by tests/kernels/listed_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "op_restrict_tokens.h"

DECLARE(RESTRICT_TOKENS)

void main() {
  const uint row = gl_WorkGroupID.x;
  if (row >= counts[pc.rows_count]) return;
  const uint width = COLUMNS / 4;
  const uint words = (COLUMNS + 31) / 32;
  for (uint i = lane(); i < width; i += LANES) {
    const uint bits = load_allowed(row * words + i / 8) >> (4 * (i % 8));
    vec4 value = load_logits(row * width + i);
    [[unroll]] for (uint c = 0; c < 4; ++c) value[c] = (bits >> c & 1) != 0 ? value[c] : pc.masked;
    store_logits(row * width + i, value);
  }
}
