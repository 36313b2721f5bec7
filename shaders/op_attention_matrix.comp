// Attention on matrix units, forward and backward: the functions of op_attention.comp and
// op_attention_backward.comp, from 16-bit copies of q, k, v and dy; sums, the softmax and all
// results are fp32.
//
//   DIRECTION 0  own rows are queries:  y = p v, and log_sum_exp
//   DIRECTION 1  own rows are queries:  delta = Σ dy · y;  dq = ds k
//   DIRECTION 2  own rows are keys:     dk = dsᵀ q;  dv = pᵀ dy
//
// A workgroup has a tile of OWN rows of one head and processes OTHER_ROWS rows of the other side at
// a time, from the first to the last other row of any row of the tile.  Matrix units compute the
// scores own_k · other_kᵀ (and own_v · other_vᵀ) into shared memory, threads convert these to
// 16-bit weights, and matrix units multiply the weights by the other rows and add the products in
// registers.  The forward pass processes the keys twice, first for the denominators of the softmax:
// the scores are computed twice, but sums never need to be rescaled, which cooperative matrices do
// not support.
//
// A thread computes the weights of one row and 8 others: OWN · OTHER_ROWS = 8 THREADS.  D_K and D_V
// are multiples of the fragment's sides.  As in op_matmul_matrix.comp, the 16-bit type is only used
// as the component type of cooperative matrices.  Tested by
// tests/kernels/matrix_attention_test.cpp.
#version 460
#pragma use_vulkan_memory_model
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#ifdef BFLOAT16
#extension GL_EXT_bfloat16 : require
#define ELEMENT bfloat16_t
#else
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#define ELEMENT float16_t
#endif
#include "lib/arrays.glsl"
#include "lib/finite.glsl"
#include "lib/philox.glsl"
#include "lib/sixteen_bits.glsl"
#include "op_attention_matrix.h"

layout(local_size_x_id = 1) in;
layout(constant_id = 0) const uint LANES = 8;
DECLARE(ATTENTION_MATRIX)

const bool FORWARD = DIRECTION == 0;
const bool QUERY = DIRECTION == 1;
const bool KEY = DIRECTION == 2;

// Lengths of lines in shared memory, in vectors of 16 bytes.  One extra vector avoids bank
// conflicts.
const uint K_STRIDE = D_K / 8 + 1;
const uint V_STRIDE = D_V / 8 + 1;
const uint SCORE_STRIDE = OTHER_ROWS / 4 + 1;
const uint WEIGHT_STRIDE = OTHER_ROWS / 8 + 1;
const uint OWN_K_AT = 0;
const uint OTHER_K_AT = OWN_K_AT + OWN * K_STRIDE;
const uint OTHER_V_AT = OTHER_K_AT + OTHER_ROWS * K_STRIDE;
const uint OWN_V_AT = OTHER_V_AT + OTHER_ROWS * V_STRIDE;
const uint SCORES_AT = OWN_V_AT + (FORWARD ? 0 : OWN * V_STRIDE);
const uint GRADIENTS_AT = SCORES_AT + OWN * SCORE_STRIDE;
const uint WEIGHTS_AT = GRADIENTS_AT + (FORWARD ? 0 : OWN * SCORE_STRIDE);
const uint GRADIENTS_16_AT = WEIGHTS_AT + (QUERY ? 0 : OWN * WEIGHT_STRIDE);
const uint STAGED_VECTORS = GRADIENTS_16_AT + (FORWARD ? 0 : OWN * WEIGHT_STRIDE);

const uint SUBGROUPS = THREADS / LANES;
// A fragment of fp32 sums.  At the end each subgroup has one in shared memory.
const uint SCRATCH = FRAGMENT_ROWS * FRAGMENT_COLUMNS / 4;
shared uvec4 staged[STAGED_VECTORS > SUBGROUPS * SCRATCH ? STAGED_VECTORS : SUBGROUPS * SCRATCH];

const uint DOWN = OWN / FRAGMENT_ROWS;
const uint ACROSS_K = D_K / FRAGMENT_COLUMNS;
const uint ACROSS_V = D_V / FRAGMENT_COLUMNS;
const uint K_SUMS = FORWARD ? 1 : (DOWN * ACROSS_K + SUBGROUPS - 1) / SUBGROUPS;
const uint V_SUMS = QUERY ? 1 : (DOWN * ACROSS_V + SUBGROUPS - 1) / SUBGROUPS;
#define ACCUMULATOR \
  coopmat<float, gl_ScopeSubgroup, FRAGMENT_ROWS, FRAGMENT_COLUMNS, gl_MatrixUseAccumulator>
ACCUMULATOR k_sum[K_SUMS];
ACCUMULATOR v_sum[V_SUMS];

// The part of a block that this thread computes: one row and 8 others.  Threads of a row must be
// adjacent lanes, and Vulkan does not say which lane gl_LocalInvocationIndex is.
const uint GROUPS = OTHER_ROWS / 8;
uint my_thread() { return gl_SubgroupID * LANES + gl_SubgroupInvocationID; }
uint my_row() { return my_thread() / GROUPS; }
uint my_group() { return my_thread() % GROUPS; }

// Reductions over the threads of a row, which are adjacent in a subgroup.
float row_add(float value) {
  [[unroll]] for (uint distance = 1; distance < GROUPS; distance *= 2) {
    value += subgroupShuffleXor(value, distance);
  }
  return value;
}
float row_max(float value) {
  [[unroll]] for (uint distance = 1; distance < GROUPS; distance *= 2) {
    value = max(value, subgroupShuffleXor(value, distance));
  }
  return value;
}

// Copies lines of one head into shared memory; lines from `end` on are zeros.
#define STAGE(values, WIDTH, lines, at, first, end) \
  for (uint n = gl_LocalInvocationIndex; n < (lines) * (WIDTH / 8); n += THREADS) { \
    const uint line = n / (WIDTH / 8), vector = n % (WIDTH / 8); \
    uvec4 value = uvec4(0); \
    if ((first) + line < (end)) { \
      value = values[(((first) + line) * HEADS + gl_WorkGroupID.y) * (WIDTH / 8) + vector]; \
    } \
    staged[(at) + line * (WIDTH / 8 + 1) + vector] = value; \
  }

// (OWN, OTHER_ROWS) fp32 at `to`: lines at `own_at` times lines at `other_at`, both WIDTH long.
#define SCORES(WIDTH, own_at, other_at, to) \
  for (uint f = gl_SubgroupID; f < DOWN * (OTHER_ROWS / FRAGMENT_COLUMNS); f += SUBGROUPS) { \
    const uint r = f % DOWN * FRAGMENT_ROWS, c = f / DOWN * FRAGMENT_COLUMNS; \
    ACCUMULATOR scores = ACCUMULATOR(0.0); \
    [[unroll]] for (uint d = 0; d < WIDTH; d += FRAGMENT_DEPTH) { \
      coopmat<ELEMENT, gl_ScopeSubgroup, FRAGMENT_ROWS, FRAGMENT_DEPTH, gl_MatrixUseA> a; \
      coopmat<ELEMENT, gl_ScopeSubgroup, FRAGMENT_DEPTH, FRAGMENT_COLUMNS, gl_MatrixUseB> b; \
      coopMatLoad(a, staged, (own_at) + r * (WIDTH / 8 + 1) + d / 8, WIDTH / 8 + 1, \
                  gl_CooperativeMatrixLayoutRowMajor); \
      coopMatLoad(b, staged, (other_at) + c * (WIDTH / 8 + 1) + d / 8, WIDTH / 8 + 1, \
                  gl_CooperativeMatrixLayoutColumnMajor); \
      scores = coopMatMulAdd(a, b, scores); \
    } \
    coopMatStore(scores, staged, (to) + r * SCORE_STRIDE + c / 4, SCORE_STRIDE, \
                 gl_CooperativeMatrixLayoutRowMajor); \
  }

// sums += 16-bit weights (OWN, OTHER_ROWS) at `weights_at` times lines of the other side, WIDTH
// long.
#define ADD_WEIGHTED(sums, WIDTH, weights_at, other_at) \
  [[unroll]] for (uint n = 0; n < sums.length(); ++n) { \
    const uint f = gl_SubgroupID + n * SUBGROUPS; \
    if (f < DOWN * (WIDTH / FRAGMENT_COLUMNS)) { \
      const uint r = f % DOWN * FRAGMENT_ROWS, c = f / DOWN * FRAGMENT_COLUMNS; \
      [[unroll]] for (uint p = 0; p < OTHER_ROWS; p += FRAGMENT_DEPTH) { \
        coopmat<ELEMENT, gl_ScopeSubgroup, FRAGMENT_ROWS, FRAGMENT_DEPTH, gl_MatrixUseA> a; \
        coopmat<ELEMENT, gl_ScopeSubgroup, FRAGMENT_DEPTH, FRAGMENT_COLUMNS, gl_MatrixUseB> b; \
        coopMatLoad(a, staged, (weights_at) + r * WEIGHT_STRIDE + p / 8, WEIGHT_STRIDE, \
                    gl_CooperativeMatrixLayoutRowMajor); \
        coopMatLoad(b, staged, (other_at) + p * (WIDTH / 8 + 1) + c / 8, WIDTH / 8 + 1, \
                    gl_CooperativeMatrixLayoutRowMajor); \
        sums[n] = coopMatMulAdd(a, b, sums[n]); \
      } \
    } \
  }

// Writes sums to rows of `values` through shared memory, one fragment of each subgroup at a time.
#define WRITE(sums, WIDTH, values, row0, rows) \
  [[unroll]] for (uint n = 0; n < sums.length(); ++n) { \
    const uint f = gl_SubgroupID + n * SUBGROUPS; \
    const uint scratch = gl_SubgroupID * SCRATCH; \
    if (f < DOWN * (WIDTH / FRAGMENT_COLUMNS)) { \
      coopMatStore(sums[n], staged, scratch, FRAGMENT_COLUMNS / 4, \
                   gl_CooperativeMatrixLayoutRowMajor); \
    } \
    subgroupBarrier(); \
    for (uint at = gl_SubgroupInvocationID; at < SCRATCH; at += LANES) { \
      const uint r = (row0) + f % DOWN * FRAGMENT_ROWS + at / (FRAGMENT_COLUMNS / 4); \
      const uint c = f / DOWN * (FRAGMENT_COLUMNS / 4) + at % (FRAGMENT_COLUMNS / 4); \
      if (r < (rows) && c < WIDTH / 4) { \
        values[(r * HEADS + gl_WorkGroupID.y) * (WIDTH / 4) + c] = \
            uintBitsToFloat(staged[scratch + at]); \
      } \
    } \
    subgroupBarrier(); \
  }

const float LOWEST = -1e30;  // instead of −∞, so that no difference is NaN

// The factor of dropout for a weight: 0, or the scale of weights that are not dropped.
float dropout_factor(uint row, uint other) {
  if (DROPS == 0) return 1;
  const uint own = counts[pc.rows_count + 1] + row;
  const uint other_index = counts[pc.other_rows_count + 1] + other;
  const uvec2 pair = KEY ? uvec2(other_index, own) : uvec2(own, other_index);
  const bool keeps =
      keeps_weight(pair, gl_WorkGroupID.y, pc.dropout_id, step_scalars.step,
                   uvec2(step_scalars.seed_low, step_scalars.seed_high), pc.threshold);
  return keeps ? pc.scale : 0.0;
}

// Score `j` of this thread's 8, from shared memory.
float score(uint at, uint j) {
  const uint vector = at + my_row() * SCORE_STRIDE + 2 * my_group() + j / 4;
  return uintBitsToFloat(staged[vector][j % 4]);
}

void put_16(uint at, vec4 low, vec4 high) {
  staged[at + my_row() * WEIGHT_STRIDE + my_group()] =
      uvec4(packed(narrowed(low, FP16 != 0)), packed(narrowed(high, FP16 != 0)));
}

// Loads a block of other rows into shared memory and computes its scores.
void score_block(uint base, uint end) {
  barrier();  // all threads have finished the previous block
  STAGE(other_k_values, D_K, OTHER_ROWS, OTHER_K_AT, base, end)
  STAGE(other_v_values, D_V, OTHER_ROWS, OTHER_V_AT, base, end)
  barrier();
  SCORES(D_K, OWN_K_AT, OTHER_K_AT, SCORES_AT)
  if (!FORWARD) {
    SCORES(D_V, OWN_V_AT, OTHER_V_AT, GRADIENTS_AT)
  }
  barrier();
}

shared uint tile_begin;
shared uint tile_end;

void main() {
  const uint head = gl_WorkGroupID.y;
  const uint rows = counts[pc.rows_count];
  const uint row0 = gl_WorkGroupID.x * OWN;
  const uint row = row0 + my_row();
  const uint safe_row = min(row, rows - 1);
  const uvec2 range = ranges_values[safe_row];
  const float root = inversesqrt(float(D_K));

  if (gl_LocalInvocationIndex == 0) {
    uint first = ~0u, last = 0;
    for (uint r = row0; r < min(row0 + OWN, rows); ++r) {
      const uvec2 other_rows = ranges_values[r];
      if (other_rows.x >= other_rows.y) continue;
      first = min(first, other_rows.x);
      last = max(last, other_rows.y);
    }
    tile_begin = first;
    tile_end = last;
  }
  STAGE(own_k_values, D_K, OWN, OWN_K_AT, row0, rows)
  if (!FORWARD) {
    STAGE(own_v_values, D_V, OWN, OWN_V_AT, row0, rows)
  }
  barrier();
  const uint begin = tile_begin;
  const uint end = tile_end;

  [[unroll]] for (uint n = 0; n < K_SUMS; ++n) k_sum[n] = ACCUMULATOR(0.0);
  [[unroll]] for (uint n = 0; n < V_SUMS; ++n) v_sum[n] = ACCUMULATOR(0.0);

  // Of this thread's row, when rows are queries.
  float log_sum = 0;
  float delta = 0;
  if (FORWARD) {
    float maximum = LOWEST;
    float sum = 0;
    for (uint base = begin; base < end; base += OTHER_ROWS) {
      score_block(base, end);
      float best = LOWEST;
      [[unroll]] for (uint j = 0; j < 8; ++j) {
        const uint key = base + 8 * my_group() + j;
        if (key >= range.x && key < range.y) best = max(best, score(SCORES_AT, j) * root);
      }
      const float larger = max(maximum, row_max(best));
      float part = 0;
      [[unroll]] for (uint j = 0; j < 8; ++j) {
        const uint key = base + 8 * my_group() + j;
        if (key >= range.x && key < range.y) part += exp(score(SCORES_AT, j) * root - larger);
      }
      sum = sum * exp(maximum - larger) + row_add(part);
      maximum = larger;
    }
    log_sum = maximum + log(sum);
    if (my_group() == 0 && row < rows) log_sum_exp_values[row * HEADS + head] = log_sum;
  } else if (QUERY) {
    log_sum = log_sum_exp_values[safe_row * HEADS + head];
    float part = 0;
    for (uint i = my_group(); i < D_V / 8; i += GROUPS) {
      const uvec4 words = own_v_values[(safe_row * HEADS + head) * (D_V / 8) + i];
      const uint at = (safe_row * HEADS + head) * (D_V / 4) + 2 * i;
      part += dot(widened(words.xy, FP16 != 0), y_values[at]);
      part += dot(widened(words.zw, FP16 != 0), y_values[at + 1]);
    }
    delta = row_add(part);
    if (my_group() == 0 && row < rows) deltas_values[row * HEADS + head] = delta;
  }

  for (uint base = begin; base < end; base += OTHER_ROWS) {
    score_block(base, end);
    float weight[8];
    float gradient[8];
    [[unroll]] for (uint j = 0; j < 8; ++j) {
      const uint other = base + 8 * my_group() + j;
      const bool attends = other >= range.x && other < range.y;
      if (KEY) {
        const uint at = min(other, end - 1) * HEADS + head;
        log_sum = log_sum_exp_values[at];
        delta = deltas_values[at];
      }
      const float factor = dropout_factor(row, other);
      const float p = attends ? exp(score(SCORES_AT, j) * root - log_sum) : 0.0;
      weight[j] = p * factor;
      gradient[j] = FORWARD ? 0.0 : p * (score(GRADIENTS_AT, j) * factor - delta) * root;
    }
    if (!QUERY) {
      put_16(WEIGHTS_AT, vec4(weight[0], weight[1], weight[2], weight[3]),
             vec4(weight[4], weight[5], weight[6], weight[7]));
    }
    if (!FORWARD) {
      put_16(GRADIENTS_16_AT, vec4(gradient[0], gradient[1], gradient[2], gradient[3]),
             vec4(gradient[4], gradient[5], gradient[6], gradient[7]));
    }
    barrier();
    if (!QUERY) {
      ADD_WEIGHTED(v_sum, D_V, WEIGHTS_AT, OTHER_V_AT)
    }
    if (!FORWARD) {
      ADD_WEIGHTED(k_sum, D_K, GRADIENTS_16_AT, OTHER_K_AT)
    }
  }

  barrier();
  if (!QUERY) {
    WRITE(v_sum, D_V, out_v_values, row0, rows)
  }
  if (!FORWARD) {
    WRITE(k_sum, D_K, out_k_values, row0, rows)
  }
}
