// Matrix product on matrix units: the product of op_matmul.comp for A and B of 16-bit elements
// (fp16, or bf16 with BFLOAT16), two in a word; C, bias and all sums are fp32.
//
//   NN   C (rows, columns) = A (rows, inner) · B (inner, columns)      forward
//   NT   C (rows, columns) = A (rows, inner) · B (columns, inner)ᵀ     gradient of the input
//   TN   C (inner, columns) = A (rows, inner)ᵀ · B (rows, columns)     gradient of the weight
//
// A workgroup computes a tile of C, each of its subgroups a part of the tile in fragments, which
// stay in registers during the whole sum.  Shared memory holds TILE_DEPTH steps of the sum; while
// they are multiplied, the next ones are loaded into registers.  inner and
// columns are multiples of 8, so that a vector of 8 elements is completely inside or outside a
// matrix; vectors outside are zero and are never written.  The order of additions depends only on
// the tile and the shares, so results are reproducible.
//
// If C has few tiles but the sum is long, as for the gradient of a weight, SHARES workgroups
// compute a share of the sum each and write it to separate matrices, which another kernel adds.
//
// The 16-bit type is only used as the component type of cooperative matrices.  So the module for
// bf16 differs from that for fp16 in one type (libcore/vulkan/bfloat16.hpp), which helps compilers
// that do not support bf16.  Tested by tests/kernels/matrix_matmul_test.cpp.
#version 460
#pragma use_vulkan_memory_model
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#ifdef BFLOAT16
#extension GL_EXT_bfloat16 : require
#define ELEMENT bfloat16_t
#else
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#define ELEMENT float16_t
#endif
#include "lib/arrays.glsl"
#include "op_matmul_matrix.h"

// The launch chooses the constants (libcore/nn/matmul/matrix.cpp); the defaults are for lavapipe.
layout(local_size_x_id = 1) in;
layout(constant_id = 0) const uint LANES = 8;
DECLARE(MATRIX_MATMUL)

// Lines of a matrix are along the sum, or across it.  Those of a tile in shared memory are the
// same, or all along the sum with TRANSPOSES: a lane then finds its elements of a fragment in
// adjacent words, on GPUs that cannot transpose while they load a fragment.
const bool A_ACROSS = FORM == 2;
const bool B_ACROSS = FORM != 1;
const bool A_TURNED = A_ACROSS && TRANSPOSES != 0;
const bool B_TURNED = B_ACROSS && TRANSPOSES != 0;
const bool A_STAGED_ACROSS = A_ACROSS && !A_TURNED;
const bool B_STAGED_ACROSS = B_ACROSS && !B_TURNED;
const uint A_LINES = A_STAGED_ACROSS ? TILE_DEPTH : TILE_ROWS;
const uint B_LINES = B_STAGED_ACROSS ? TILE_DEPTH : TILE_COLUMNS;
const uint A_LENGTH = (A_STAGED_ACROSS ? TILE_ROWS : TILE_DEPTH) / 8;  // in vectors of 8 elements
const uint B_LENGTH = (B_STAGED_ACROSS ? TILE_COLUMNS : TILE_DEPTH) / 8;
const int A_LAYOUT = A_STAGED_ACROSS ? gl_CooperativeMatrixLayoutColumnMajor
                                     : gl_CooperativeMatrixLayoutRowMajor;
const int B_LAYOUT = B_STAGED_ACROSS ? gl_CooperativeMatrixLayoutRowMajor
                                     : gl_CooperativeMatrixLayoutColumnMajor;

// A vector of padding avoids bank conflicts between the lines of a fragment.
const uint A_STRIDE = A_LENGTH + 1;
const uint B_STRIDE = B_LENGTH + 1;
const uint B_START = A_LINES * A_STRIDE;
const uint TILE_VECTORS = B_START + B_LINES * B_STRIDE;
// Each subgroup has scratch memory for one fragment of C, in the same memory, before and after the
// sum.
const uint SCRATCH = FRAGMENT_ROWS * FRAGMENT_COLUMNS / 4;
const uint SCRATCHES = THREADS / LANES * SCRATCH;
shared uvec4 staged[TILE_VECTORS > SCRATCHES ? TILE_VECTORS : SCRATCHES];

// Vectors of a tile that a thread loads.  It transposes two lines at a time, in pairs of elements.
const uint PAIRS = TILE_DEPTH / 2;
#define LOADS(LINES, LENGTH, TURNED) \
  (TURNED ? 2 * ((LINES / 8 * PAIRS + THREADS - 1) / THREADS) \
          : (LINES * LENGTH + THREADS - 1) / THREADS)
const uint A_LOADS = LOADS(A_LINES, A_LENGTH, A_TURNED);
const uint B_LOADS = LOADS(B_LINES, B_LENGTH, B_TURNED);
uvec4 a_next[A_LOADS];
uvec4 b_next[B_LOADS];

// The pair of lines of a thread's pair `i` of vectors, and the vector in these lines.
uvec2 pair_place(uint i) {
  const uint place = i * THREADS + gl_LocalInvocationIndex;
  return uvec2(place % PAIRS, place / PAIRS);
}

// Loads the vectors of this thread of a tile that starts at the given line and vector.
#define FETCH(name, LINES, LENGTH, TURNED) \
  void fetch_##name(uint first_line, uint first_vector, uint lines, uint vectors) { \
    [[unroll]] for (uint i = 0; i < name##_next.length(); ++i) { \
      const uint place = i * THREADS + gl_LocalInvocationIndex; \
      const uvec2 pair = pair_place(i / 2); \
      const uint line = first_line + (TURNED ? 2 * pair.x + i % 2 : place / LENGTH); \
      const uint at = first_vector + (TURNED ? pair.y : place % LENGTH); \
      const bool inside = TURNED ? pair.y < LINES / 8 : place < LINES * LENGTH; \
      name##_next[i] = uvec4(0); \
      if (inside && line < lines && at < vectors) { \
        name##_next[i] = name##_values[line * vectors + at]; \
      } \
    } \
  }
FETCH(a, A_LINES, A_LENGTH, A_TURNED)
FETCH(b, B_LINES, B_LENGTH, B_TURNED)

// Loads the tiles that begin at step k of the sum.
void fetch(uint k, uint row0, uint column0, uint rows) {
  const uint inner8 = pc.inner / 8;
  fetch_a(A_ACROSS ? k : row0, (A_ACROSS ? row0 : k) / 8, rows, inner8);
  fetch_b(B_ACROSS ? k : column0, (B_ACROSS ? column0 : k) / 8,
          FORM == 0 ? pc.inner : FORM == 1 ? pc.columns : rows,
          FORM == 1 ? inner8 : pc.columns / 8);
}

// Element `e` of two lines as one word.
uint pair_of(uvec4 low, uvec4 high, uint e) {
  return e % 2 == 0 ? (low[e / 2] & 0xffffu) | high[e / 2] << 16
                    : low[e / 2] >> 16 | (high[e / 2] & 0xffff0000u);
}

#define STAGE(name, LINES, LENGTH, TURNED, start) \
  void stage_##name() { \
    if (TURNED) { \
      [[unroll]] for (uint i = 0; i + 1 < name##_next.length(); i += 2) { \
        const uvec2 pair = pair_place(i / 2); \
        if (pair.y < LINES / 8) { \
          [[unroll]] for (uint e = 0; e < 8; ++e) { \
            staged[start + (8 * pair.y + e) * (LENGTH + 1) + pair.x / 4][pair.x % 4] = \
                pair_of(name##_next[i], name##_next[i + 1], e); \
          } \
        } \
      } \
    } else { \
      [[unroll]] for (uint i = 0; i < name##_next.length(); ++i) { \
        const uint place = i * THREADS + gl_LocalInvocationIndex; \
        if (place < LINES * LENGTH) { \
          staged[start + place / LENGTH * (LENGTH + 1) + place % LENGTH] = name##_next[i]; \
        } \
      } \
    } \
  }
STAGE(a, A_LINES, A_LENGTH, A_TURNED, 0)
STAGE(b, B_LINES, B_LENGTH, B_TURNED, B_START)

#define FRAGMENT \
  coopmat<float, gl_ScopeSubgroup, FRAGMENT_ROWS, FRAGMENT_COLUMNS, gl_MatrixUseAccumulator>
const uint DOWN = PART_ROWS / FRAGMENT_ROWS;
const uint ACROSS = PART_COLUMNS / FRAGMENT_COLUMNS;
FRAGMENT sum[DOWN][ACROSS];

// Multiplies the staged tiles and adds the product to the part of this subgroup, which starts at
// `row` and `column` of the tile.
void multiply(uint row, uint column) {
  [[unroll]] for (uint k = 0; k < TILE_DEPTH; k += FRAGMENT_DEPTH) {
    coopmat<ELEMENT, gl_ScopeSubgroup, FRAGMENT_ROWS, FRAGMENT_DEPTH, gl_MatrixUseA> left[DOWN];
    [[unroll]] for (uint i = 0; i < DOWN; ++i) {
      const uint r = row + i * FRAGMENT_ROWS;
      const uint at = A_STAGED_ACROSS ? k * A_STRIDE + r / 8 : r * A_STRIDE + k / 8;
      coopMatLoad(left[i], staged, at, A_STRIDE, A_LAYOUT);
    }
    [[unroll]] for (uint j = 0; j < ACROSS; ++j) {
      const uint c = column + j * FRAGMENT_COLUMNS;
      coopmat<ELEMENT, gl_ScopeSubgroup, FRAGMENT_DEPTH, FRAGMENT_COLUMNS, gl_MatrixUseB> right;
      const uint at = B_STAGED_ACROSS ? k * B_STRIDE + c / 8 : c * B_STRIDE + k / 8;
      coopMatLoad(right, staged, B_START + at, B_STRIDE, B_LAYOUT);
      [[unroll]] for (uint i = 0; i < DOWN; ++i) {
        sum[i][j] = coopMatMulAdd(left[i], right, sum[i][j]);
      }
    }
  }
}

const uint ROW_LENGTH = FRAGMENT_COLUMNS / 4;

// Initializes the sums with the bias, in every row of a fragment.
void start(uint scratch, uint column) {
  const bool biased = (pc.flags & MATMUL_BIAS) != 0;
  [[unroll]] for (uint j = 0; j < ACROSS; ++j) {
    const uint column4 = (column + j * FRAGMENT_COLUMNS) / 4;
    if (biased) {
      for (uint at = gl_SubgroupInvocationID; at < SCRATCH; at += LANES) {
        const uint place = column4 + at % ROW_LENGTH;
        vec4 value = vec4(0);
        if (place < pc.columns / 4) value = bias_values[place];
        staged[scratch + at] = floatBitsToUint(value);
      }
      subgroupBarrier();
    }
    [[unroll]] for (uint i = 0; i < DOWN; ++i) {
      sum[i][j] = FRAGMENT(0.0);
      if (biased) {
        coopMatLoad(sum[i][j], staged, scratch, ROW_LENGTH, gl_CooperativeMatrixLayoutRowMajor);
      }
    }
    if (biased) subgroupBarrier();
  }
}

// Writes a fragment that is completely inside C and starts at vector `first`.
void write_whole(FRAGMENT y, uint first) {
  const uint columns4 = pc.columns / 4;
  if ((pc.flags & MATMUL_ACCUMULATE) != 0) {
    FRAGMENT before;
    coopMatLoad(before, c_values, first, columns4, gl_CooperativeMatrixLayoutRowMajor);
    y += before;
  }
  if ((pc.flags & MATMUL_RELU) != 0) {
    for (int e = 0; e < y.length(); ++e) y[e] = max(y[e], 0.0);
  }
  coopMatStore(y, c_values, first, columns4, gl_CooperativeMatrixLayoutRowMajor);
}

// Writes the part of a fragment that is inside C: `rows` rows of `vectors` vectors remain of C.
// It goes through the scratch memory of the subgroup.
void write_part(FRAGMENT sum, uint scratch, uint first, int rows, int vectors) {
  coopMatStore(sum, staged, scratch, ROW_LENGTH, gl_CooperativeMatrixLayoutRowMajor);
  subgroupBarrier();
  for (uint at = gl_SubgroupInvocationID; at < SCRATCH; at += LANES) {
    const uint row = at / ROW_LENGTH, vector = at % ROW_LENGTH;
    if (int(row) < rows && int(vector) < vectors) {
      const uint place = first + row * (pc.columns / 4) + vector;
      vec4 y = uintBitsToFloat(staged[scratch + at]);
      if ((pc.flags & MATMUL_ACCUMULATE) != 0) y += c_values[place];
      if ((pc.flags & MATMUL_RELU) != 0) y = max(y, vec4(0));
      c_values[place] = y;
    }
  }
  subgroupBarrier();
}

void main() {
  const uint rows = counts[pc.rows_count];
  const uint tiles_across = (pc.columns + TILE_COLUMNS - 1) / TILE_COLUMNS;
  const uint row0 = gl_WorkGroupID.x * TILE_ROWS;
  const uint column0 = gl_WorkGroupID.y % tiles_across * TILE_COLUMNS;
  const uint parts_across = TILE_COLUMNS / PART_COLUMNS;
  const uint row = gl_SubgroupID / parts_across * PART_ROWS;
  const uint column = gl_SubgroupID % parts_across * PART_COLUMNS;
  const uint scratch = gl_SubgroupID * SCRATCH;

  const uint depth = A_ACROSS ? rows : pc.inner;
  const uint output_rows = A_ACROSS ? pc.inner : rows;

  // The steps of the sum of this workgroup: whole tiles, except for the last.
  const uint share = gl_WorkGroupID.y / tiles_across;
  const uint tiles = (depth + TILE_DEPTH - 1) / TILE_DEPTH;
  const uint share_depth = (tiles + SHARES - 1) / SHARES * TILE_DEPTH;
  const uint begin = share * share_depth;
  const uint end = min(begin + share_depth, depth);

  fetch(begin, row0, column0, rows);
  start(scratch, column0 + column);
  for (uint k = begin; k < end; k += TILE_DEPTH) {
    barrier();  // all threads have finished with the staged tiles
    stage_a();
    stage_b();
    barrier();
    fetch(k + TILE_DEPTH, row0, column0, rows);
    multiply(row, column);
  }
  barrier();

  // Each share has its own C, one below the other.  All subgroups of a tile take the same branch,
  // because lavapipe requires the same number of barriers in all of them.
  const bool whole = row0 + TILE_ROWS <= output_rows && column0 + TILE_COLUMNS <= pc.columns;
  const uint columns4 = pc.columns / 4;
  [[unroll]] for (uint i = 0; i < DOWN; ++i) {
    [[unroll]] for (uint j = 0; j < ACROSS; ++j) {
      const uint r = row0 + row + i * FRAGMENT_ROWS;
      const uint c4 = (column0 + column + j * FRAGMENT_COLUMNS) / 4;
      const uint first = (share * output_rows + r) * columns4 + c4;
      if (whole) {
        write_whole(sum[i][j], first);
      } else {
        write_part(sum[i][j], scratch, first, int(output_rows - r), int(columns4 - c4));
      }
    }
  }
}
