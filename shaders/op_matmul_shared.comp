// Matrix product for GPUs without matrix units: tiles staged in shared memory.
//
// The three forms, operands and epilogue of op_matmul.comp.  A workgroup of THREADS computes BM
// rows by BN columns; BK steps of the sum are one round, staged as right[k][column] and
// left[k][row], so that both are read along rows of shared memory whatever the form.  The next
// round's values travel in registers while the current one is multiplied.  A thread owns blocks of
// 4 × 4 results that lie apart, so that neighbouring threads read neighbouring words.  Values
// beyond the edge are zeros and are not written.  Which tile: libcore/nn/tiles.cpp.  Tested
// by tests/kernels/linear_test.cpp under AWEND_MATMUL=shared.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "lib/buffers.glsl"
#include "lib/sixteen_bits.glsl"
#include "op.h"

layout(local_size_x_id = 1) in;
layout(constant_id = 0) const uint LANES = 32;  // unused: no step depends on subgroups
layout(constant_id = 1) const uint THREADS = 256;
layout(constant_id = 2) const uint BM = 64;
layout(constant_id = 3) const uint BN = 64;
layout(constant_id = 4) const uint BK = 16;
layout(constant_id = 5) const uint ROWS_PER_THREAD = 4;
layout(constant_id = 6) const uint COLUMNS_PER_THREAD = 4;

layout(set = 0, binding = 0) readonly buffer Counts { uint counts[]; };
PUSH(MatmulPush, 5)
#ifdef OPERANDS_16
layout(constant_id = 7) const uint FP16 = 0;
READS(uvec2, 1, a_words)
READS(uvec2, 2, b_words)
vec4 load_a(uint i) { return widened(load_a_words(i), FP16 != 0); }
vec4 load_b(uint i) { return widened(load_b_words(i), FP16 != 0); }
#else
READS(vec4, 1, a)
READS(vec4, 2, b)
#endif
UPDATES(vec4, 3, c)
READS(vec4, 4, bias)

// One more vector a row keeps columns of a tile in different banks.
const uint LEFT_STRIDE = BM + 4;
const uint RIGHT_STRIDE = BN + 4;
shared float left[BK * LEFT_STRIDE];
shared float right[BK * RIGHT_STRIDE];

const uint LEFT_LOADS = BM * BK / 4 / THREADS;
const uint RIGHT_LOADS = BN * BK / 4 / THREADS;
const uint ROW_BLOCKS = ROWS_PER_THREAD / 4;
const uint COLUMN_BLOCKS = COLUMNS_PER_THREAD / 4;

// Vector `n` of a tile that is `wide` elements wide along memory: its row and its vector column.
uvec2 place_of(uint n, uint wide) { return uvec2(n / (wide / 4), n % (wide / 4)); }

void main() {
  const uint thread = gl_LocalInvocationID.x;
  const uint rows = counts[pc.count];
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
                       ? load_a(row * inner4 + vector) : vec4(0); \
  } \
  [[unroll]] for (uint i = 0; i < RIGHT_LOADS; ++i) { \
    const uvec2 place = place_of(i * THREADS + thread, RIGHT_WIDE); \
    RIGHT_AT(k0, place) \
    next_right[i] = row < row_end && vector < vector_end \
                        ? load_b(row * RIGHT_ROW + vector) : vec4(0); \
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
    barrier();  // the round before is multiplied
    [[unroll]] for (uint i = 0; i < LEFT_LOADS; ++i) {
      const uvec2 place = place_of(i * THREADS + thread, LEFT_WIDE);
      [[unroll]] for (uint n = 0; n < 4; ++n) {
#ifdef FORM_TN
        left[place.x * LEFT_STRIDE + 4 * place.y + n] = next_left[i][n];
#else
        left[(4 * place.y + n) * LEFT_STRIDE + place.x] = next_left[i][n];
#endif
      }
    }
    [[unroll]] for (uint i = 0; i < RIGHT_LOADS; ++i) {
      const uvec2 place = place_of(i * THREADS + thread, RIGHT_WIDE);
      [[unroll]] for (uint n = 0; n < 4; ++n) {
#ifdef FORM_NT
        right[(4 * place.y + n) * RIGHT_STRIDE + place.x] = next_right[i][n];
#else
        right[place.x * RIGHT_STRIDE + 4 * place.y + n] = next_right[i][n];
#endif
      }
    }
    barrier();
    if (k0 + BK < depth) {
      FETCH(k0 + BK)
    }
    [[unroll]] for (uint k = 0; k < BK; ++k) {
      vec4 mine[ROW_BLOCKS];
      vec4 other[COLUMN_BLOCKS];
      [[unroll]] for (uint i = 0; i < ROW_BLOCKS; ++i) {
        const uint at = k * LEFT_STRIDE + 4 * i * rows_of_threads + my_row;
        mine[i] = vec4(left[at], left[at + 1], left[at + 2], left[at + 3]);
      }
      [[unroll]] for (uint j = 0; j < COLUMN_BLOCKS; ++j) {
        const uint at = k * RIGHT_STRIDE + 4 * j * columns_of_threads + my_column;
        other[j] = vec4(right[at], right[at + 1], right[at + 2], right[at + 3]);
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
