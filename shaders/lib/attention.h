// What all kernels of attention with a backward pass have in common, for GLSL and C++.
#ifndef AWEND_SHADERS_LIB_ATTENTION_H
#define AWEND_SHADERS_LIB_ATTENTION_H

#define ATTENTION_PUSH(FIELD)                                                                     \
  FIELD(count, rows_count) /* of the queries; in kernels for gradients of k and v, of the keys */ \
  FIELD(count, other_rows_count) /* of the other side */                                          \
  FIELD(uint, dropout_id)        /* identifies this use of dropout in the model */                \
  FIELD(uint, threshold)         /* a smaller random word drops its weight */                     \
  FIELD(float, scale)            /* 1 / (1 − P_drop) */

// Of the portable kernels (lib/attention.glsl).
#define ATTENTION_CONSTANTS(CONSTANT)                                \
  CONSTANT(1, HEADS, heads, 1)                                       \
  CONSTANT(2, D_K, d_k, 64)                                          \
  CONSTANT(3, D_V, d_v, 64)                                          \
  CONSTANT(4, K_PER_LANE, k_per_lane, 2) /* ceil(D_K / 4 / LANES) */ \
  CONSTANT(5, V_PER_LANE, v_per_lane, 2) /* ceil(D_V / 4 / LANES) */ \
  CONSTANT(6, DROPS, drops, 0)           /* 1: dropout of weights */ \
  CONSTANT(7, T, tile_rows, 8)                                       \
  CONSTANT(8, KEYS_PER_LANE, keys_per_lane, 2)

#endif
