// Keys or values into a cache: cache row places[r] becomes row r of x.  (rows, COLUMNS).
// Tested by tests/kernels/decoding_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "op.h"

layout(constant_id = 1) const uint COLUMNS = 64;
PUSH(StoreRowsPush, 4)
READS(uint, 1, places)
READS(vec4, 2, x)
WRITES(vec4, 3, cache)

void main() {
  const uint width = COLUMNS / 4;
  const uint first = gl_WorkGroupID.x * ROWS_PER_GROUP;
  const uint end = min(counts[pc.rows_count], first + ROWS_PER_GROUP);
  for (uint row = first; row < end; ++row) {
    const uint at = load_places(row) * width;
    for (uint i = lane(); i < width; i += LANES) store_cache(at + i, load_x(row * width + i));
  }
}
