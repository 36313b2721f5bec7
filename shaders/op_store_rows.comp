// Copies keys or values into a cache: row r of x to cache row places[r].
// Tested by tests/kernels/decoding_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "op_store_rows.h"

DECLARE(STORE_ROWS)

void main() {
  const uint width = COLUMNS / 4;
  const uint first = gl_WorkGroupID.x * ROWS_PER_GROUP;
  const uint end = min(counts[pc.rows_count], first + ROWS_PER_GROUP);
  for (uint row = first; row < end; ++row) {
    const uint at = load_places(row) * width;
    for (uint i = lane(); i < width; i += LANES) store_cache(at + i, load_x(row * width + i));
  }
}
