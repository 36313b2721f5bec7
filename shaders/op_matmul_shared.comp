// Matrix product for GPUs without matrix units: tiles in shared memory.
//
// The forms, operands and flags of op_matmul.comp.  A workgroup of THREADS computes BM rows by BN
// columns.  An iteration processes BK steps of the sum, which are stored as right[k][column] and
// left[k][row], so that both are read along rows of shared memory in all forms.  The values of the
// next iteration are loaded into registers while the current ones are multiplied.  A thread
// computes blocks of 4 × 4 results at a distance, so that adjacent threads read adjacent words.
// Values outside the matrices are zero and are not written.  Tiles: libcore/nn/matmul/tiles.cpp.
// Tested by tests/kernels/linear_test.cpp with AWEND_MATMUL=shared.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "lib/buffers.glsl"
#include "lib/finite.glsl"
#include "lib/sixteen_bits.glsl"
#include "op_matmul_shared.h"

layout(local_size_x_id = 1) in;
layout(constant_id = 0) const uint LANES = 32;  // unused: no step depends on subgroups
layout(set = 0, binding = 0) readonly buffer Counts { uint counts[]; };

#ifdef OPERANDS_16
DECLARE(SHARED_MATMUL_16)
vec4 four_of_a(uint i) { return widened(load_a(i), FP16 != 0); }
vec4 four_of_b(uint i) { return widened(load_b(i), FP16 != 0); }
#else
DECLARE(SHARED_MATMUL)
#define four_of_a load_a
#define four_of_b load_b
#endif

// Vectors, so that compilers read 16 bytes at once.  One extra vector in a row avoids bank
// conflicts between the columns of a tile.
const uint LEFT_STRIDE = BM / 4 + 1;
const uint RIGHT_STRIDE = BN / 4 + 1;
shared vec4 left[BK * LEFT_STRIDE];
shared vec4 right[BK * RIGHT_STRIDE];

const uint LEFT_LOADS = BM * BK / 4 / THREADS;
const uint RIGHT_LOADS = BN * BK / 4 / THREADS;
const uint ROW_BLOCKS = ROWS_PER_THREAD / 4;
const uint COLUMN_BLOCKS = COLUMNS_PER_THREAD / 4;

// Vector `n` of a tile that is `wide` elements wide along memory: its row and its vector column.
uvec2 place_of(uint n, uint wide) { return uvec2(n / (wide / 4), n % (wide / 4)); }

void main() {
  const uint thread = gl_LocalInvocationID.x;
  const uint rows = counts[pc.rows_count];
  const uint inner4 = pc.inner / 4;
  const uint columns4 = pc.columns / 4;
#ifdef FORM_TN
  const uint output_rows = pc.inner;
  const uint depth = rows;
#else
  const uint output_rows = rows;
  const uint depth = pc.inner;
#endif
  const uint row0 = gl_WorkGroupID.x * BM;
  const uint column0 = gl_WorkGroupID.y * BN;

  vec4 sum[ROWS_PER_THREAD][COLUMN_BLOCKS];
  [[unroll]] for (uint r = 0; r < ROWS_PER_THREAD; ++r) {
    [[unroll]] for (uint j = 0; j < COLUMN_BLOCKS; ++j) sum[r][j] = vec4(0);
  }
  vec4 next_left[LEFT_LOADS];
  vec4 next_right[RIGHT_LOADS];

#ifdef FORM_TN
#define LEFT_WIDE BM
#else
#define LEFT_WIDE BK
#endif
#ifdef FORM_NT
#define RIGHT_WIDE BK
#else
#define RIGHT_WIDE BN
#endif
#define FETCH(k0) \
  [[unroll]] for (uint i = 0; i < LEFT_LOADS; ++i) { \
    const uvec2 place = place_of(i * THREADS + thread, LEFT_WIDE); \
    LEFT_AT(k0, place) \
    next_left[i] = row < row_end && vector < vector_end \
                       ? four_of_a(row * inner4 + vector) : vec4(0); \
  } \
  [[unroll]] for (uint i = 0; i < RIGHT_LOADS; ++i) { \
    const uvec2 place = place_of(i * THREADS + thread, RIGHT_WIDE); \
    RIGHT_AT(k0, place) \
    next_right[i] = row < row_end && vector < vector_end \
                        ? four_of_b(row * RIGHT_ROW + vector) : vec4(0); \
  }
#ifdef FORM_TN
#define LEFT_AT(k0, place) \
  const uint row = (k0) + place.x, vector = row0 / 4 + place.y, row_end = depth, \
             vector_end = inner4;
#else
#define LEFT_AT(k0, place) \
  const uint row = row0 + place.x, vector = (k0) / 4 + place.y, row_end = rows, \
             vector_end = inner4;
#endif
#ifdef FORM_NT
#define RIGHT_ROW inner4
#define RIGHT_AT(k0, place) \
  const uint row = column0 + place.x, vector = (k0) / 4 + place.y, row_end = pc.columns, \
             vector_end = inner4;
#else
#define RIGHT_ROW columns4
#define RIGHT_AT(k0, place) \
  const uint row = (k0) + place.x, vector = column0 / 4 + place.y, row_end = depth, \
             vector_end = columns4;
#endif

  const uint columns_of_threads = BN / COLUMNS_PER_THREAD;
  const uint rows_of_threads = BM / ROWS_PER_THREAD;
  const uint my_column = 4 * (thread % columns_of_threads);
  const uint my_row = 4 * (thread / columns_of_threads);

  FETCH(0)
  for (uint k0 = 0; k0 < depth; k0 += BK) {
    barrier();  // the previous iteration has finished multiplying
    [[unroll]] for (uint i = 0; i < LEFT_LOADS; ++i) {
      const uvec2 place = place_of(i * THREADS + thread, LEFT_WIDE);
#ifdef FORM_TN
      left[place.x * LEFT_STRIDE + place.y] = next_left[i];
#else
      [[unroll]] for (uint n = 0; n < 4; ++n)
        left[(4 * place.y + n) * LEFT_STRIDE + place.x / 4][place.x % 4] = next_left[i][n];
#endif
    }
    [[unroll]] for (uint i = 0; i < RIGHT_LOADS; ++i) {
      const uvec2 place = place_of(i * THREADS + thread, RIGHT_WIDE);
#ifdef FORM_NT
      [[unroll]] for (uint n = 0; n < 4; ++n)
        right[(4 * place.y + n) * RIGHT_STRIDE + place.x / 4][place.x % 4] = next_right[i][n];
#else
      right[place.x * RIGHT_STRIDE + place.y] = next_right[i];
#endif
    }
    barrier();
    if (k0 + BK < depth) {
      FETCH(k0 + BK)
    }
    [[unroll]] for (uint k = 0; k < BK; ++k) {
      vec4 mine[ROW_BLOCKS];
      vec4 other[COLUMN_BLOCKS];
      [[unroll]] for (uint i = 0; i < ROW_BLOCKS; ++i) {
        mine[i] = left[k * LEFT_STRIDE + i * rows_of_threads + my_row / 4];
      }
      [[unroll]] for (uint j = 0; j < COLUMN_BLOCKS; ++j) {
        other[j] = right[k * RIGHT_STRIDE + j * columns_of_threads + my_column / 4];
      }
      [[unroll]] for (uint r = 0; r < ROWS_PER_THREAD; ++r) {
        [[unroll]] for (uint j = 0; j < COLUMN_BLOCKS; ++j) {
          sum[r][j] = fma(vec4(mine[r / 4][r % 4]), other[j], sum[r][j]);
        }
      }
    }
  }

  [[unroll]] for (uint j = 0; j < COLUMN_BLOCKS; ++j) {
    const uint column4 = (column0 + 4 * j * columns_of_threads + my_column) / 4;
    if (column4 >= columns4) continue;
    vec4 added = vec4(0);
    if ((pc.flags & MATMUL_BIAS) != 0) added = load_bias(column4);
    [[unroll]] for (uint r = 0; r < ROWS_PER_THREAD; ++r) {
      const uint row = row0 + 4 * (r / 4) * rows_of_threads + my_row + r % 4;
      if (row >= output_rows) continue;
      const uint at = row * columns4 + column4;
      vec4 y = sum[r][j] + added;
      if ((pc.flags & MATMUL_ACCUMULATE) != 0) y += load_c(at);
      if ((pc.flags & MATMUL_RELU) != 0) y = max(y, vec4(0));
      store_c(at, y);
    }
  }
}
