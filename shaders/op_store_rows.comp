// Keys or values of one decoding step into the cache: cache row first + r becomes x row r.  (rows,
// COLUMNS). Tested by tests/kernels/decoding_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "op.h"

layout(constant_id = 1) const uint COLUMNS = 64;
PUSH(StoreRowsPush, 3)
READS(vec4, 1, x)
WRITES(vec4, 2, cache)

void main() {
  const uint width = COLUMNS / 4;
  const uint first = counts[pc.first_count] * width;
  const uint end = min(counts[pc.rows_count], (gl_WorkGroupID.x + 1) * ROWS_PER_GROUP) * width;
  const uint begin = gl_WorkGroupID.x * ROWS_PER_GROUP * width;
  for (uint i = begin + lane(); i < end; i += LANES) store_cache(first + i, load_x(i));
}
