// Matrix product in a register tile: C = A B, A Bᵀ or Aᵀ B, with bias, ReLU and accumulation on
// the way out.
//
//   FORM_NN   C (rows, columns) = A (rows, inner) · B (inner, columns)      forward
//   FORM_NT   C (rows, columns) = A (rows, inner) · B (columns, inner)ᵀ     gradient of the input
//   FORM_TN   C (inner, columns) = A (rows, inner)ᵀ · B (rows, columns)     gradient of the weight
//
// One subgroup computes TILE_ROWS rows by LANES · 4 · TILE_VECTORS columns.  Each lane owns whole
// columns.  Four steps of the sum are one round: a lane loads four consecutive values of A for its
// row (TN: four rows of A for its step), and a shuffle hands each value to all.  The lane that a
// value comes from is known at compile time, so that lavapipe broadcasts it from memory instead of
// permuting registers; and there is neither shared memory nor a barrier, which are slow there.
// The TN form sums over a part of the rows, for launchers that keep the parts in a cache.
// inner and columns are multiples of 4, and are push constants: one pipeline serves every shape.
// With OPERANDS_16 A and B hold packed 16-bit numbers; sums are fp32 all the same.
// Tested by tests/kernels/linear_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "lib/sixteen_bits.glsl"
#include "op.h"

PUSH(SubgroupMatmulPush, 5)
#ifdef OPERANDS_16
layout(constant_id = 1) const uint FP16 = 0;
READS(uvec2, 1, a_words)
READS(uvec2, 2, b_words)
vec4 load_a(uint i) { return widened(load_a_words(i), FP16 != 0); }
vec4 load_b(uint i) { return widened(load_b_words(i), FP16 != 0); }
#else
READS(vec4, 1, a)
READS(vec4, 2, b)
#endif
WRITES(vec4, 3, c)
READS(vec4, 4, added)  // the bias; with MATMUL_ACCUMULATE c itself, each value read before written

const uint R = TILE_ROWS;
const uint V = TILE_VECTORS;
const uint A_LOADS = (R + LANES - 1) / LANES;

void main() {
#ifdef FORM_TN
  const uint rows = min(counts[pc.count], pc.end);
  if (pc.first > 0 && pc.first >= rows) return;
#else
  const uint rows = counts[pc.count];
#endif
  const uint inner4 = pc.inner / 4;
  const uint columns4 = pc.columns / 4;
  const uint row0 = gl_WorkGroupID.x * R;
  uint column4[V];  // in units of 4 columns
  uint safe4[V];    // the same, held inside the matrix
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
    // Lane l holds row t + l % 4 of A and four columns of it: those of quad l / 4 of each load.
    const uint mine = min(t + round_step, rows - 1);
    vec4 quad[A_LOADS];
    [[unroll]] for (uint i = 0; i < A_LOADS; ++i) {
      const uint place = min(row0 / 4 + i * (LANES / 4) + lane() / 4, inner4 - 1);
      const vec4 value = load_a(mine * inner4 + place);
      quad[i] = t + round_step < rows ? value : vec4(0);
    }
    vec4 right[4][V];
    [[unroll]] for (uint k = 0; k < 4; ++k) {
      const uint row = min(t + k, rows - 1) * columns4;
      [[unroll]] for (uint v = 0; v < V; ++v) right[k][v] = load_b(row + safe4[v]);
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
    // Lane l holds columns 4 place … 4 place + 3 of row l of each load.
    vec4 quad[A_LOADS];
    [[unroll]] for (uint i = 0; i < A_LOADS; ++i) {
      quad[i] = load_a(min(row0 + i * LANES + lane(), rows - 1) * inner4 + place);
    }
    vec4 right[4][V];
#ifdef FORM_NN
    [[unroll]] for (uint k = 0; k < 4; ++k) {
      const uint row = (4 * place + k) * columns4;
      [[unroll]] for (uint v = 0; v < V; ++v) right[k][v] = load_b(row + safe4[v]);
    }
#else
    // block[j] holds four steps of column j of vector v.  A transposition renames registers only.
    [[unroll]] for (uint v = 0; v < V; ++v) {
      mat4 block;
      [[unroll]] for (uint j = 0; j < 4; ++j) {
        block[j] = load_b((4 * safe4[v] + j) * inner4 + place);
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

  // One branch around many loads: a branch each would double the time to compile.
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
