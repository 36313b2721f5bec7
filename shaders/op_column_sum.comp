// Sums over rows, in a fixed order and without atomics, for the gradients of biases and of gain and
// bias of layer normalization.
//
//   plain    partial (blocks, COLUMNS): each subgroup sums COLUMN_SUM_ROWS rows of its columns
//   NORM     partial (blocks, 2 · COLUMNS): Σ dy, then Σ dy · (x − mean) / σ
//   FINAL    adds Σ over blocks of `partial`, from column PART · COLUMNS on, to a gradient,
//            (1, COLUMNS)
//
// Workgroup (block, column group); a lane sums one vec4 of columns.  Tested by
// tests/kernels/rows_test.cpp and linear_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "op_column_sum.h"

#ifdef FINAL
DECLARE(COLUMN_SUM_FINAL)
#elif defined(NORM)
DECLARE(COLUMN_SUM_NORM)
#else
DECLARE(COLUMN_SUM)
#endif

void main() {
  const uint width = COLUMNS / 4;
  const uint column = gl_WorkGroupID.y * LANES + lane();
  if (column >= width) return;
  const uint rows = counts[pc.rows_count];
#ifdef FINAL
  const uint blocks = (rows + COLUMN_SUM_ROWS - 1) / COLUMN_SUM_ROWS;
  vec4 sum = vec4(0);
  for (uint block = 0; block < blocks; block += AT_ONCE) {
    vec4 partial[AT_ONCE];
    [[unroll]] for (uint n = 0; n < AT_ONCE; ++n) {
      partial[n] = load_partial((min(block + n, blocks - 1) * PARTS + PART) * width + column);
    }
    [[unroll]] for (uint n = 0; n < AT_ONCE; ++n) {
      if (block + n < blocks) sum += partial[n];
    }
  }
  store_gradient(column, load_gradient(column) + sum);
#else
  const uint block = gl_WorkGroupID.x;
  const uint end = min(rows, (block + 1) * COLUMN_SUM_ROWS);
  vec4 sum = vec4(0);
  vec4 product = vec4(0);
  for (uint row = block * COLUMN_SUM_ROWS; row < end; ++row) {
    const vec4 d = load_dy(row * width + column);
    sum += d;
#ifdef NORM
    const vec2 moment = load_moments(row);
    product += d * (load_x(row * width + column) - moment.x) * moment.y;
#endif
  }
#ifdef NORM
  store_partial(2 * block * width + column, sum);
  store_partial((2 * block + 1) * width + column, product);
#else
  store_partial(block * width + column, sum);
#endif
#endif
}
