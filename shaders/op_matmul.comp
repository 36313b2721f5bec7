// Matrix product in the registers of a subgroup: C = A B, A Bᵀ or Aᵀ B, with optional bias, ReLU
// and accumulation.
//
//   FORM_NN   C (rows, columns) = A (rows, inner) · B (inner, columns)      forward
//   FORM_NT   C (rows, columns) = A (rows, inner) · B (columns, inner)ᵀ     gradient of the input
//   FORM_TN   C (inner, columns) = A (rows, inner)ᵀ · B (rows, columns)     gradient of the weight
//
// One subgroup computes TILE_ROWS rows by LANES · 4 · TILE_VECTORS columns; each lane computes
// whole columns.  An iteration processes four steps of the sum: a lane loads four consecutive
// values of A of its row (TN: of its step), and shuffles broadcast each value to all lanes.  The
// source lane is a compile-time constant, so that lavapipe broadcasts from memory instead of
// permuting registers. There is no shared memory and no barrier, because both are slow on lavapipe.
// The form TN sums over a range of rows, so that a launch can limit it to what fits the cache.
// inner and columns are multiples of 4; as push constants, they need no pipeline for each shape.
// With OPERANDS_16, A and B are packed 16-bit numbers; sums are always fp32. Tested by
// tests/kernels/linear_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "lib/finite.glsl"
#include "lib/sixteen_bits.glsl"
#include "op_matmul.h"

#ifdef OPERANDS_16
DECLARE(SUBGROUP_MATMUL_16)
vec4 four_of_a(uint i) { return widened(load_a(i), FP16 != 0); }
vec4 four_of_b(uint i) { return widened(load_b(i), FP16 != 0); }
#else
DECLARE(SUBGROUP_MATMUL)
#define four_of_a load_a
#define four_of_b load_b
#endif

const uint R = TILE_ROWS;
const uint V = TILE_VECTORS;
const uint A_LOADS = (R + LANES - 1) / LANES;

void main() {
#ifdef FORM_TN
  const uint rows = min(counts[pc.rows_count], pc.end);
  if (pc.first > 0 && pc.first >= rows) return;
#else
  const uint rows = counts[pc.rows_count];
#endif
  const uint inner4 = pc.inner / 4;
  const uint columns4 = pc.columns / 4;
  const uint row0 = gl_WorkGroupID.x * R;
  uint column4[V];  // in units of 4 columns
  uint safe4[V];    // the same, clamped to the matrix
  [[unroll]] for (uint v = 0; v < V; ++v) {
    column4[v] = (gl_WorkGroupID.y * V + v) * LANES + lane();
    safe4[v] = min(column4[v], columns4 - 1);
  }
  vec4 sum[R][V];
  [[unroll]] for (uint r = 0; r < R; ++r) {
    [[unroll]] for (uint v = 0; v < V; ++v) sum[r][v] = vec4(0);
  }

#ifdef FORM_TN
  const uint output_rows = pc.inner;
  const uint round_step = lane() % 4;
  for (uint t = pc.first; t < rows; t += 4) {
    // Lane l has row t + l % 4 of A and four of its columns: those of quad l / 4 of each load.
    const uint mine = min(t + round_step, rows - 1);
    vec4 quad[A_LOADS];
    [[unroll]] for (uint i = 0; i < A_LOADS; ++i) {
      const uint place = min(row0 / 4 + i * (LANES / 4) + lane() / 4, inner4 - 1);
      const vec4 value = four_of_a(mine * inner4 + place);
      quad[i] = t + round_step < rows ? value : vec4(0);
    }
    vec4 right[4][V];
    [[unroll]] for (uint k = 0; k < 4; ++k) {
      const uint row = min(t + k, rows - 1) * columns4;
      [[unroll]] for (uint v = 0; v < V; ++v) right[k][v] = four_of_b(row + safe4[v]);
    }
    [[unroll]] for (uint r = 0; r < R; ++r) {
      [[unroll]] for (uint k = 0; k < 4; ++k) {
        const float x = subgroupShuffle(quad[r / LANES][r % 4], k + r % LANES / 4 * 4);
        [[unroll]] for (uint v = 0; v < V; ++v) sum[r][v] = fma(vec4(x), right[k][v], sum[r][v]);
      }
    }
  }
#else
  const uint output_rows = rows;
  for (uint place = 0; place < inner4; ++place) {
    // Lane l has columns 4 place … 4 place + 3 of row l of each load.
    vec4 quad[A_LOADS];
    [[unroll]] for (uint i = 0; i < A_LOADS; ++i) {
      quad[i] = four_of_a(min(row0 + i * LANES + lane(), rows - 1) * inner4 + place);
    }
    vec4 right[4][V];
#ifdef FORM_NN
    [[unroll]] for (uint k = 0; k < 4; ++k) {
      const uint row = (4 * place + k) * columns4;
      [[unroll]] for (uint v = 0; v < V; ++v) right[k][v] = four_of_b(row + safe4[v]);
    }
#else
    // block[j] has four steps of column j of vector v.  The transposition only renames registers.
    [[unroll]] for (uint v = 0; v < V; ++v) {
      mat4 block;
      [[unroll]] for (uint j = 0; j < 4; ++j) {
        block[j] = four_of_b((4 * safe4[v] + j) * inner4 + place);
      }
      block = transpose(block);
      [[unroll]] for (uint k = 0; k < 4; ++k) right[k][v] = block[k];
    }
#endif
    [[unroll]] for (uint r = 0; r < R; ++r) {
      const vec4 x = subgroupShuffle(quad[r / LANES], r % LANES);
      [[unroll]] for (uint k = 0; k < 4; ++k) {
        [[unroll]] for (uint v = 0; v < V; ++v) {
          sum[r][v] = fma(vec4(x[k]), right[k][v], sum[r][v]);
        }
      }
    }
  }
#endif

  // One branch around many loads: one branch for each would double the compile time.
  if ((pc.flags & MATMUL_BIAS) != 0) {
    [[unroll]] for (uint v = 0; v < V; ++v) {
      const vec4 bias = load_added(safe4[v]);
      [[unroll]] for (uint r = 0; r < R; ++r) sum[r][v] += bias;
    }
  }
  if ((pc.flags & MATMUL_ACCUMULATE) != 0) {
    [[unroll]] for (uint r = 0; r < R; ++r) {
      const uint row = min(row0 + r, output_rows - 1) * columns4;
      [[unroll]] for (uint v = 0; v < V; ++v) sum[r][v] += load_added(row + safe4[v]);
    }
  }
  const bool rectifies = (pc.flags & MATMUL_RELU) != 0;
  [[unroll]] for (uint v = 0; v < V; ++v) {
    if (column4[v] >= columns4) continue;
    [[unroll]] for (uint r = 0; r < R; ++r) {
      if (row0 + r >= output_rows) continue;
      const vec4 y = rectifies ? max(sum[r][v], vec4(0)) : sum[r][v];
      store_c((row0 + r) * columns4 + column4[v], y);
    }
  }
}
