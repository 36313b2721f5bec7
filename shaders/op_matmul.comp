// Matrix product in a register tile: C = A B, A Bᵀ or Aᵀ B, with bias, ReLU and accumulation on the
// way out.
//
//   FORM_NN   C (rows, N) = A (rows, K) · B (K, N)      forward
//   FORM_NT   C (rows, N) = A (rows, K) · B (N, K)ᵀ     gradient of the input
//   FORM_TN   C (M, N)    = A (rows, M)ᵀ · B (rows, N)  gradient of the weight
//
// One subgroup computes TILE_ROWS rows by LANES · 4 · MATMUL_TILE_VECTORS columns.  Each lane owns
// whole columns; a value of A is loaded by one lane and handed to all others by a shuffle, so that
// there is neither shared memory nor a barrier (both are slow on lavapipe).  Four steps of the sum
// are unrolled: each accumulator is then read and written once for four multiplications.  K and N
// are multiples of 4.  Tested by tests/kernels/matmul_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "op.h"

layout(constant_id = 1) const uint K = 64;  // TN: M, the columns of A
layout(constant_id = 2) const uint N = 64;
layout(constant_id = 3) const uint FLAGS = 0;

layout(set = 0, binding = 1) readonly buffer A { vec4 a_values[]; };
layout(set = 0, binding = 2) readonly buffer B { vec4 b_values[]; };
layout(set = 0, binding = 3) buffer C { vec4 c_values[]; };
layout(set = 0, binding = 4) readonly buffer Bias { vec4 bias_values[]; };
layout(push_constant) uniform Push { MatmulPush pc; };

const uint R = TILE_ROWS;
const uint V = MATMUL_TILE_VECTORS;
const uint N4 = N / 4;
const uint K4 = K / 4;

void main() {
  const uint rows = counts[pc.count];
  const uint row0 = gl_WorkGroupID.x * R;
  uint column4[V];  // in units of 4 columns
  uint safe4[V];    // the same, held inside the matrix
  [[unroll]] for (uint v = 0; v < V; ++v) {
    column4[v] = (gl_WorkGroupID.y * V + v) * LANES + lane();
    safe4[v] = min(column4[v], N4 - 1);
  }
  vec4 sum[R][V];
  [[unroll]] for (uint r = 0; r < R; ++r) {
    [[unroll]] for (uint v = 0; v < V; ++v) sum[r][v] = vec4(0);
  }

#ifdef FORM_TN
  const uint output_rows = K;
  for (uint t0 = 0; t0 < rows; t0 += LANES) {
    // Lane l holds row t0 + l of A, columns row0 … row0 + R - 1.
    const uint mine = min(t0 + lane(), rows - 1);
    vec4 a[R / 4];
    [[unroll]] for (uint i = 0; i < R / 4; ++i) {
      a[i] = a_values[mine * K4 + min(row0 / 4 + i, K4 - 1)];
      a[i] = t0 + lane() < rows ? a[i] : vec4(0);
    }
    const uint steps = min(LANES, rows - t0);
    for (uint s = 0; s < steps; s += 4) {
      vec4 b[4][V];
      [[unroll]] for (uint k = 0; k < 4; ++k) {
        const uint row = min(t0 + s + k, rows - 1);
        [[unroll]] for (uint v = 0; v < V; ++v) b[k][v] = b_values[row * N4 + safe4[v]];
      }
      [[unroll]] for (uint r = 0; r < R; ++r) {
        [[unroll]] for (uint k = 0; k < 4; ++k) {
          const float x = subgroupShuffle(a[r / 4][r % 4], s + k);
          [[unroll]] for (uint v = 0; v < V; ++v) sum[r][v] = fma(vec4(x), b[k][v], sum[r][v]);
        }
      }
    }
  }
#else
  const uint output_rows = rows;
  for (uint k0 = 0; k0 < K4; k0 += LANES) {
    // Lane l holds columns 4 (k0 + l) … + 3 of each row of A.
    const uint mine = min(k0 + lane(), K4 - 1);
    vec4 a[R];
    [[unroll]] for (uint r = 0; r < R; ++r) a[r] = a_values[min(row0 + r, rows - 1) * K4 + mine];
    const uint steps = min(LANES, K4 - k0);
    for (uint s = 0; s < steps; ++s) {
#ifdef FORM_NN
      vec4 b[4][V];
      [[unroll]] for (uint k = 0; k < 4; ++k) {
        const uint row = (4 * (k0 + s) + k) * N4;
        [[unroll]] for (uint v = 0; v < V; ++v) b[k][v] = b_values[row + safe4[v]];
      }
      [[unroll]] for (uint r = 0; r < R; ++r) {
        const vec4 x = subgroupShuffle(a[r], s);
        [[unroll]] for (uint k = 0; k < 4; ++k) {
          [[unroll]] for (uint v = 0; v < V; ++v) sum[r][v] = fma(vec4(x[k]), b[k][v], sum[r][v]);
        }
      }
#else
      // b[v][c] holds four steps of column c of vector v; transposed, the inner loop is that of the
      // NN form.
      vec4 b[4][V];
      [[unroll]] for (uint v = 0; v < V; ++v) {
        mat4 block;
        [[unroll]] for (uint c = 0; c < 4; ++c) {
          block[c] = b_values[(4 * safe4[v] + c) * K4 + k0 + s];
        }
        block = transpose(block);
        [[unroll]] for (uint k = 0; k < 4; ++k) b[k][v] = block[k];
      }
      [[unroll]] for (uint r = 0; r < R; ++r) {
        const vec4 x = subgroupShuffle(a[r], s);
        [[unroll]] for (uint k = 0; k < 4; ++k) {
          [[unroll]] for (uint v = 0; v < V; ++v) sum[r][v] = fma(vec4(x[k]), b[k][v], sum[r][v]);
        }
      }
#endif
    }
  }
#endif

  [[unroll]] for (uint v = 0; v < V; ++v) {
    if (column4[v] >= N4) continue;
    const vec4 bias = (FLAGS & MATMUL_BIAS) != 0 ? bias_values[column4[v]] : vec4(0);
    [[unroll]] for (uint r = 0; r < R; ++r) {
      if (row0 + r >= output_rows) continue;
      const uint at = (row0 + r) * N4 + column4[v];
      vec4 y = sum[r][v] + bias;
      if ((FLAGS & MATMUL_ACCUMULATE) != 0) y += c_values[at];
      if ((FLAGS & MATMUL_RELU) != 0) y = max(y, vec4(0));
      c_values[at] = y;
    }
  }
}
