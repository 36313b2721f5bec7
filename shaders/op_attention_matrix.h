// The kernel of op_attention_matrix.comp: attention on matrix units, forward and backward.
#ifndef AWEND_SHADERS_OP_ATTENTION_MATRIX_H
#define AWEND_SHADERS_OP_ATTENTION_MATRIX_H

#include "lib/attention.h"
#include "lib/kernel.h"
#include "lib/step.h"

#define ATTENTION_MATRIX_CONSTANTS(CONSTANT)                                           \
  CONSTANT(1, THREADS, threads, 32)                                                    \
  CONSTANT(2, OWN, own, 16)                    /* rows of a tile */                    \
  CONSTANT(3, OTHER_ROWS, other_rows, 16)      /* rows of a block of the other side */ \
  CONSTANT(4, FRAGMENT_ROWS, fragment_rows, 8) /* of one cooperative matrix */         \
  CONSTANT(5, FRAGMENT_COLUMNS, fragment_columns, 8)                                   \
  CONSTANT(6, FRAGMENT_DEPTH, fragment_depth, 8)                                       \
  CONSTANT(7, DIRECTION, direction, 0)                                                 \
  CONSTANT(8, HEADS, heads, 1)                                                         \
  CONSTANT(9, D_K, d_k, 64)                                                            \
  CONSTANT(10, D_V, d_v, 64)                                                           \
  CONSTANT(11, DROPS, drops, 0) /* 1: dropout of weights */                            \
  CONSTANT(12, FP16, fp16, 1)   /* 1: fp16, 0: bf16 */
// ANY_COLUMNS: a direction that does not use the operand may be given any tensor.
#define ATTENTION_MATRIX_OPERANDS(READS, WRITES, UPDATES)          \
  READS(1, StepScalars, step, 16)                                  \
  READS(2, uvec2, ranges, 2) /* of each own row: its other rows */ \
  READS(3, half8, own_k, HEADS* D_K)                               \
  READS(4, half8, other_k, HEADS* D_K)                             \
  READS(5, half8, own_v, ANY_COLUMNS)                              \
  READS(6, half8, other_v, HEADS* D_V)                             \
  UPDATES(7, float, log_sum_exp, HEADS)                            \
  UPDATES(8, float, deltas, HEADS)                                 \
  READS(9, vec4, y, HEADS* D_V)                                    \
  UPDATES(10, vec4, out_k, ANY_COLUMNS) /* dq or dk */             \
  UPDATES(11, vec4, out_v, ANY_COLUMNS) /* y or dv */
#define ATTENTION_MATRIX_PUSH(FIELD) ATTENTION_PUSH(FIELD)
// No host function: operands have 16 bits.
KERNEL_WITHOUT_HOST(attention_matrix, AttentionMatrix, ATTENTION_MATRIX)

#endif
