// Simpler simple recurrent units (Kim et al., 2019) over the rows of each sentence, column by
// column:
//
//   FORWARD   f = σ(forget);  c' = f c + (1 − f) candidate;  y = max(c', 0)
//   BACKWARD  gradients of candidate and forget from those of y, from the last row to the first
//
// Workgroup (sentence, column group); a lane processes four columns of all rows in order.
// Tested by tests/kernels/ssru_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "lib/gates.glsl"
#include "op_ssru.h"

#ifdef FORWARD
DECLARE(SSRU)
#else
DECLARE(SSRU_BACKWARD)
#endif

void main() {
  const uint width = COLUMNS / 4;
  const uint sentence = gl_WorkGroupID.x;
  if (sentence >= counts[pc.sentences_count]) return;
  const uint column = gl_WorkGroupID.y * LANES + lane();
  if (column >= width) return;
  const uvec2 range = load_ranges(sentence);
#ifdef FORWARD
  vec4 c = vec4(0);
  if (HAS_INITIAL != 0) c = load_initial(sentence * width + column);
  for (uint row = range.x; row < range.y; ++row) {
    const uint at = row * width + column;
    const vec4 f = sigmoid(load_forget(at));
    c = f * c + (1 - f) * load_candidate(at);
    if (KEEP != 0) store_states(at, c);
    store_y(at, max(c, vec4(0)));
  }
#else
  vec4 dc = vec4(0);
  for (uint row = range.y; row > range.x; --row) {
    const uint at = (row - 1) * width + column;
    const vec4 f = sigmoid(load_forget(at));
    dc += mix(vec4(0), load_dy(at), greaterThan(load_states(at), vec4(0)));
    vec4 before = vec4(0);
    if (row - 1 > range.x) before = load_states(at - width);
    store_dcandidate(at, dc * (1 - f));
    store_dforget(at, dc * (before - load_candidate(at)) * f * (1 - f));
    dc *= f;
  }
#endif
}
