// The mean of the rows of each sentence, or their sum with SUM:
//
//   FORWARD   y[s] = Σ x[row] / n over the n rows of the sentence, or Σ x[row]
//   BACKWARD  dx[row] = dy[s] / n, or dy[s]
//
// With ADD, results are added.
//
// Workgroup (sentence, column group); a lane processes four columns of all rows in order.
// Tested by tests/kernels/mean_rows_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "op_mean_rows.h"

#ifdef FORWARD
DECLARE(MEAN_ROWS)
#else
DECLARE(MEAN_ROWS_BACKWARD)
#endif

void main() {
  const uint width = COLUMNS / 4;
  const uint sentence = gl_WorkGroupID.x;
  if (sentence >= counts[pc.sentences_count]) return;
  const uint column = gl_WorkGroupID.y * LANES + lane();
  if (column >= width) return;
  const uvec2 range = load_ranges(sentence);
  const float share = SUM != 0 ? 1.0 : 1 / float(range.y - range.x);
#ifdef FORWARD
  vec4 sum = vec4(0);
  for (uint row = range.x; row < range.y; ++row) sum += load_x(row * width + column);
  const uint place = sentence * width + column;
  store_y(place, ADD != 0 ? load_y(place) + share * sum : share * sum);
#else
  const vec4 change = share * load_dy(sentence * width + column);
  for (uint row = range.x; row < range.y; ++row) {
    const uint at = row * width + column;
    store_dx(at, ADD != 0 ? load_dx(at) + change : change);
  }
#endif
}
