// Attention and its gradients for GPUs without matrix units: the functions of op_attention.comp and
// op_attention_backward.comp, with tiles in shared memory.
//
//   FORWARD  own rows are queries:  y = p v, and log_sum_exp
//   QUERY    own rows are queries:  delta = Σ dy · y;  dq = ds k
//   KEY      own rows are keys:     dk = dsᵀ q;  dv = pᵀ dy
//
// A workgroup has a tile of OWN rows of one head and processes OTHER_ROWS rows of the other side at
// a time, from the first to the last other row of any row of the tile, so that short sentences
// share a tile.  Threads form a grid of 8 by 8: a thread computes the scores of OWN / 8 rows and
// OTHER_ROWS / 8 other rows, writes weights to shared memory, and adds weighted other rows to some
// columns of its rows.
//
// A thread adds other rows in their order, and those outside the range of a row with weight 0.  The
// forward pass determines the maximum of each row first, because its sums would otherwise be
// rescaled at block boundaries.  So the result for a sentence is bit-identical whatever else is in
// the batch.  Tested by tests/kernels/attention_test.cpp with AWEND_MATMUL=shared.
//
// With BIASED, as in op_attention.comp.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "lib/buffers.glsl"
#include "lib/philox.glsl"
#include "op_attention_shared.h"

layout(local_size_x_id = 1) in;
layout(constant_id = 0) const uint LANES = 32;  // unused: no step depends on subgroups
layout(set = 0, binding = 0) readonly buffer Counts { uint counts[]; };

#ifdef BIASED
#define DECLARE_FORM(plain, biased) DECLARE(biased)
#else
#define DECLARE_FORM(plain, biased) DECLARE(plain)
#endif
#if defined(FORWARD)
DECLARE_FORM(ATTENTION_SHARED, ATTENTION_SHARED_BIASED)
#define load_ranges load_key_ranges
#define load_own_k load_q
#define load_other_k load_k
#define load_other_v load_v
#elif defined(QUERY)
DECLARE_FORM(ATTENTION_SHARED_QUERY, ATTENTION_SHARED_BIASED_QUERY)
#define load_own_k load_q
#define load_own_v load_dy
#define load_other_k load_k
#define load_other_v load_v
#define store_own_k store_dq
#else
DECLARE_FORM(ATTENTION_SHARED_KEY, ATTENTION_SHARED_BIASED_KEY)
#define load_own_k load_k
#define load_own_v load_v
#define load_other_k load_q
#define load_other_v load_dy
#define store_own_k store_dk
#endif
#include "lib/relative_bias.glsl"

const uint OTHER_ROWS = ATTENTION_SHARED_OTHER_ROWS;
const uint GRID = 8;
const uint MY_ROWS = OWN / GRID;
const uint ROW_PAIRS = MY_ROWS / 2;
const uint MY_OTHER_ROWS = OTHER_ROWS / GRID;
const uint K_COLUMNS = (D_K / 4 + GRID - 1) / GRID;  // vectors of a row that a thread sums
const uint V_COLUMNS = (D_V / 4 + GRID - 1) / GRID;

// An odd number of vectors avoids bank conflicts between adjacent rows.
const uint K_STRIDE = D_K / 4 | 1;
const uint V_STRIDE = D_V / 4 | 1;
const uint WIDER = K_STRIDE > V_STRIDE ? K_STRIDE : V_STRIDE;
shared vec4 own[OWN * WIDER];
shared vec4 others[OTHER_ROWS * WIDER];
// Weights of a row of the other side: those of a thread's rows are adjacent.  The padding avoids
// bank conflicts.
const uint WEIGHT_STRIDE = GRID * ROW_PAIRS + 2;
shared vec2 weights[OTHER_ROWS * WEIGHT_STRIDE];
#ifdef FORWARD
shared float maxima[OWN * GRID];
#endif
// The first other row of each thread's rows and the end of their other rows.  The sizes of all
// variables are multiples of 16 bytes, which keeps vectors aligned.
shared uint tile_begins[GRID];
shared uint tile_ends[GRID];

// The rows of a thread have a distance of GRID, and so do the other rows and its columns.
uint my_row(uint r) { return gl_LocalInvocationIndex / GRID + r * GRID; }
uint my_other(uint j) { return gl_LocalInvocationIndex % GRID + j * GRID; }

// Copies rows first … end - 1 of one head to shared memory, at most `lines`; others are zeros.
#define STAGE(to, WIDTH, STRIDE, lines, first, end, load) \
  for (uint n = gl_LocalInvocationIndex; n < (lines) * (WIDTH / 4); n += THREADS) { \
    const uint line = n / (WIDTH / 4), vector = n % (WIDTH / 4); \
    vec4 value = vec4(0); \
    if ((first) + line < (end)) \
      value = load((((first) + line) * HEADS + gl_WorkGroupID.y) * (WIDTH / 4) + vector); \
    to[line * STRIDE + vector] = value; \
  }
#define STAGE_OTHER_ROWS(WIDTH, STRIDE, load) \
  barrier(); \
  STAGE(others, WIDTH, STRIDE, OTHER_ROWS, base, end, load) \
  barrier();
#define STAGE_BOTH(WIDTH, STRIDE, load_own, load_other) \
  barrier(); \
  STAGE(own, WIDTH, STRIDE, OWN, row0, rows, load_own) \
  STAGE(others, WIDTH, STRIDE, OTHER_ROWS, base, end, load_other) \
  barrier();

// Vectors of an iteration of a product, so that their loads overlap.  Lanes that share registers
// have few rows.
const uint K_STEP = D_K % 8 == 0 ? ROW_PAIRS : 1u;
const uint V_STEP = D_V % 8 == 0 ? ROW_PAIRS : 1u;

// products[r][j] = own row r · other row j.  Compilers that unroll the loop completely load too
// much at once.
#define PRODUCTS(products, WIDTH, STRIDE, STEP) \
  [[unroll]] for (uint r = 0; r < MY_ROWS; ++r) { \
    [[unroll]] for (uint j = 0; j < MY_OTHER_ROWS; ++j) products[r][j] = 0; \
  } \
  [[dont_unroll]] for (uint first = 0; first < WIDTH / 4; first += STEP) { \
    [[unroll]] for (uint n = 0; n < STEP; ++n) { \
      const uint i = first + n; \
      vec4 mine[MY_ROWS]; \
      [[unroll]] for (uint r = 0; r < MY_ROWS; ++r) mine[r] = own[my_row(r) * STRIDE + i]; \
      [[unroll]] for (uint j = 0; j < MY_OTHER_ROWS; ++j) { \
        const vec4 vector = others[my_other(j) * STRIDE + i]; \
        [[unroll]] for (uint r = 0; r < MY_ROWS; ++r) { \
          products[r][j] = fma(mine[r].x, vector.x, products[r][j]); \
          products[r][j] = fma(mine[r].y, vector.y, products[r][j]); \
          products[r][j] = fma(mine[r].z, vector.z, products[r][j]); \
          products[r][j] = fma(mine[r].w, vector.w, products[r][j]); \
        } \
      } \
    } \
  }

#define SCALE_SCORES \
  [[unroll]] for (uint r = 0; r < MY_ROWS; ++r) { \
    [[unroll]] for (uint j = 0; j < MY_OTHER_ROWS; ++j) { \
      scores[r][j] = scores[r][j] * root \
          PLUS_BIAS(DISTANCE(row0 + my_row(r), base + my_other(j))); \
    } \
  }

// The place of a pair of this thread's rows in the weights of other row `p`.
uint pair_at(uint p, uint pair) {
  return p * WEIGHT_STRIDE + gl_LocalInvocationIndex / GRID * ROW_PAIRS + pair;
}

// Writes the values of this thread's pairs of rows as weights.
#define PUT(values) \
  [[unroll]] for (uint j = 0; j < MY_OTHER_ROWS; ++j) { \
    [[unroll]] for (uint pair = 0; pair < ROW_PAIRS; ++pair) \
      weights[pair_at(my_other(j), pair)] = vec2(values[2 * pair][j], values[2 * pair + 1][j]); \
  }

// sums[r][c] += Σ over the block of weight · other row.
#define ADD_WEIGHTED(sums, WIDTH, STRIDE, COLUMNS) \
  for (uint p = 0; p < OTHER_ROWS && base + p < end; ++p) { \
    vec4 vector[COLUMNS]; \
    [[unroll]] for (uint c = 0; c < COLUMNS; ++c) \
      vector[c] = others[p * STRIDE + min(my_other(c), WIDTH / 4 - 1)]; \
    [[unroll]] for (uint r = 0; r < MY_ROWS; ++r) { \
      const float weight = weights[pair_at(p, r / 2)][r % 2]; \
      [[unroll]] for (uint c = 0; c < COLUMNS; ++c) \
        sums[r][c] = fma(vec4(weight), vector[c], sums[r][c]); \
    } \
  }

#define WRITE(sums, WIDTH, COLUMNS, store, factor) \
  [[unroll]] for (uint r = 0; r < MY_ROWS; ++r) { \
    const uint row = row0 + my_row(r); \
    if (row >= rows) continue; \
    [[unroll]] for (uint c = 0; c < COLUMNS; ++c) { \
      const uint column = my_other(c); \
      if (column < WIDTH / 4) \
        store((row * HEADS + gl_WorkGroupID.y) * (WIDTH / 4) + column, sums[r][c] * factor); \
    } \
  }

const float LOWEST = -1e30;  // instead of −∞, so that no difference is NaN

// Whether dropout keeps a weight.
bool is_kept(uint row, uint other) {
  if (DROPS == 0) return true;
  const uint own_index = counts[pc.rows_count + 1] + row;
  const uint other_index = counts[pc.other_rows_count + 1] + other;
#ifdef KEY
  const uvec2 pair = uvec2(other_index, own_index);
#else
  const uvec2 pair = uvec2(own_index, other_index);
#endif
  return keeps_weight(pair, gl_WorkGroupID.y, pc.dropout_id, step_scalars.step,
                      uvec2(step_scalars.seed_low, step_scalars.seed_high), pc.threshold);
}

void main() {
  const uint head = gl_WorkGroupID.y;
  const uint rows = counts[pc.rows_count];
  const uint row0 = gl_WorkGroupID.x * OWN;
  const float root = inversesqrt(float(D_K));

  uvec2 range[MY_ROWS];
  uint first = ~0u, last = 0;
  [[unroll]] for (uint r = 0; r < MY_ROWS; ++r) {
    const uint row = row0 + my_row(r);
    range[r] = row < rows ? load_ranges(min(row, rows - 1)) : uvec2(0);
    if (range[r].x < range[r].y) {
      first = min(first, range[r].x);
      last = max(last, range[r].y);
    }
  }
  if (my_other(0) == 0) {
    tile_begins[my_row(0)] = first;
    tile_ends[my_row(0)] = last;
  }
#ifdef FORWARD
  STAGE(own, D_K, K_STRIDE, OWN, row0, rows, load_own_k)
#endif
  barrier();
  if (gl_LocalInvocationIndex == 0) {
    for (uint n = 1; n < GRID; ++n) {
      first = min(first, tile_begins[n]);
      last = max(last, tile_ends[n]);
    }
    tile_begins[0] = first;
    tile_ends[0] = last;
  }
  barrier();
  const uint begin = tile_begins[0];
  const uint end = tile_ends[0];
  float scores[MY_ROWS][MY_OTHER_ROWS];

#ifdef FORWARD
  float maximum[MY_ROWS];
  [[unroll]] for (uint r = 0; r < MY_ROWS; ++r) maximum[r] = LOWEST;
  for (uint base = begin; base < end; base += OTHER_ROWS) {
    STAGE_OTHER_ROWS(D_K, K_STRIDE, load_other_k)
    PRODUCTS(scores, D_K, K_STRIDE, K_STEP)
    SCALE_SCORES
    [[unroll]] for (uint r = 0; r < MY_ROWS; ++r) {
      [[unroll]] for (uint j = 0; j < MY_OTHER_ROWS; ++j) {
        const uint other = base + my_other(j);
        const bool attends = other >= range[r].x && other < range[r].y;
        maximum[r] = max(maximum[r], attends ? scores[r][j] : LOWEST);
      }
    }
  }
  [[unroll]] for (uint r = 0; r < MY_ROWS; ++r)
    maxima[my_row(r) * GRID + my_other(0)] = maximum[r];
  barrier();
  [[unroll]] for (uint r = 0; r < MY_ROWS; ++r) {
    [[unroll]] for (uint n = 0; n < GRID; ++n)
      maximum[r] = max(maximum[r], maxima[my_row(r) * GRID + n]);
  }

  float sum[MY_ROWS];
  vec4 result[MY_ROWS][V_COLUMNS];
  [[unroll]] for (uint r = 0; r < MY_ROWS; ++r) {
    sum[r] = 0;
    [[unroll]] for (uint c = 0; c < V_COLUMNS; ++c) result[r][c] = vec4(0);
  }
  for (uint base = begin; base < end; base += OTHER_ROWS) {
    // The scores of a single block are still known.
    if (end - begin > OTHER_ROWS) {
      STAGE_OTHER_ROWS(D_K, K_STRIDE, load_other_k)
      PRODUCTS(scores, D_K, K_STRIDE, K_STEP)
      SCALE_SCORES
    }
    // A weight that is dropped is negative: it still counts in the sum.
    [[unroll]] for (uint r = 0; r < MY_ROWS; ++r) {
      [[unroll]] for (uint j = 0; j < MY_OTHER_ROWS; ++j) {
        const uint other = base + my_other(j);
        const bool attends = other >= range[r].x && other < range[r].y;
        const float weight = attends ? exp(scores[r][j] - maximum[r]) : 0.0;
        scores[r][j] = is_kept(row0 + my_row(r), other) ? weight : -weight;
      }
    }
    PUT(scores)
    STAGE_OTHER_ROWS(D_V, V_STRIDE, load_other_v)
    for (uint p = 0; p < OTHER_ROWS && base + p < end; ++p) {
      vec4 vector[V_COLUMNS];
      [[unroll]] for (uint c = 0; c < V_COLUMNS; ++c)
        vector[c] = others[p * V_STRIDE + min(my_other(c), D_V / 4 - 1)];
      [[unroll]] for (uint r = 0; r < MY_ROWS; ++r) {
        const float weight = weights[pair_at(p, r / 2)][r % 2];
        sum[r] += DROPS != 0 ? abs(weight) : weight;
        const float kept = DROPS != 0 ? max(weight, 0) : weight;
        [[unroll]] for (uint c = 0; c < V_COLUMNS; ++c)
          result[r][c] = fma(vec4(kept), vector[c], result[r][c]);
      }
    }
  }

  [[unroll]] for (uint r = 0; r < MY_ROWS; ++r) {
    const uint row = row0 + my_row(r);
    if (row < rows && my_other(0) == 0)
      store_log_sum_exp(row * HEADS + head, maximum[r] + log(sum[r]));
    sum[r] = sum[r] > 0 ? (DROPS != 0 ? pc.scale : 1.0) / sum[r] : 0.0;
  }
  WRITE(result, D_V, V_COLUMNS, store_y, sum[r])
#else

#ifdef QUERY
  float log_sum[MY_ROWS];
  float delta[MY_ROWS];
  uint own_at[MY_ROWS];
  [[unroll]] for (uint r = 0; r < MY_ROWS; ++r) {
    own_at[r] = min(row0 + my_row(r), rows - 1) * HEADS + head;
    log_sum[r] = load_log_sum_exp(own_at[r]);
    delta[r] = 0;
  }
  [[dont_unroll]] for (uint i = 0; i < D_V / 4; ++i) {
    [[unroll]] for (uint r = 0; r < MY_ROWS; ++r)
      delta[r] += dot(load_own_v(own_at[r] * (D_V / 4) + i), load_y(own_at[r] * (D_V / 4) + i));
  }
  [[unroll]] for (uint r = 0; r < MY_ROWS; ++r) {
    if (row0 + my_row(r) < rows && my_other(0) == 0) store_deltas(own_at[r], delta[r]);
  }
#else
  vec4 v_sum[MY_ROWS][V_COLUMNS];
  [[unroll]] for (uint r = 0; r < MY_ROWS; ++r) {
    [[unroll]] for (uint c = 0; c < V_COLUMNS; ++c) v_sum[r][c] = vec4(0);
  }
#endif
  vec4 k_sum[MY_ROWS][K_COLUMNS];
  [[unroll]] for (uint r = 0; r < MY_ROWS; ++r) {
    [[unroll]] for (uint c = 0; c < K_COLUMNS; ++c) k_sum[r][c] = vec4(0);
  }

  float gradient[MY_ROWS][MY_OTHER_ROWS];
  for (uint base = begin; base < end; base += OTHER_ROWS) {
    STAGE_BOTH(D_V, V_STRIDE, load_own_v, load_other_v)
    PRODUCTS(gradient, D_V, V_STRIDE, V_STEP)
    STAGE_BOTH(D_K, K_STRIDE, load_own_k, load_other_k)
    PRODUCTS(scores, D_K, K_STRIDE, K_STEP)
    SCALE_SCORES
    [[unroll]] for (uint j = 0; j < MY_OTHER_ROWS; ++j) {
      const uint other = base + my_other(j);
#ifdef KEY
      const uint at = min(other, end - 1) * HEADS + head;
      const float other_log_sum = load_log_sum_exp(at);
      const float other_delta = load_deltas(at);
#endif
      [[unroll]] for (uint r = 0; r < MY_ROWS; ++r) {
#ifdef QUERY
        const float other_log_sum = log_sum[r];
        const float other_delta = delta[r];
#endif
        const float scale = DROPS != 0 ? pc.scale : 1.0;
        const float factor = is_kept(row0 + my_row(r), other) ? scale : 0.0;
        const bool attends = other >= range[r].x && other < range[r].y;
        const float p = attends ? exp(scores[r][j] - other_log_sum) : 0.0;
        scores[r][j] = p * factor;
        gradient[r][j] = p * (gradient[r][j] * factor - other_delta) * root;
      }
    }
    PUT(gradient)
    barrier();
    ADD_WEIGHTED(k_sum, D_K, K_STRIDE, K_COLUMNS)
#ifdef KEY
    barrier();
    PUT(scores)
    STAGE(others, D_V, V_STRIDE, OTHER_ROWS, base, end, load_other_v)
    barrier();
    ADD_WEIGHTED(v_sum, D_V, V_STRIDE, V_COLUMNS)
#endif
  }
  WRITE(k_sum, D_K, K_COLUMNS, store_own_k, 1.0)
#ifdef KEY
  WRITE(v_sum, D_V, V_COLUMNS, store_dv, 1.0)
#endif
#endif
}
