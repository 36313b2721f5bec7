// The kernel of op_matmul_matrix.comp: matrix products on matrix units.
#ifndef AWEND_SHADERS_OP_MATMUL_MATRIX_H
#define AWEND_SHADERS_OP_MATMUL_MATRIX_H

#include "lib/kernel.h"
#include "lib/matmul.h"

#define MATRIX_MATMUL_CONSTANTS(CONSTANT) \
  CONSTANT(1, THREADS, threads, 32) \
  CONSTANT(2, TILE_ROWS, tile_rows, 32) \
  CONSTANT(3, TILE_COLUMNS, tile_columns, 32) \
  CONSTANT(4, TILE_DEPTH, tile_depth, 16) \
  CONSTANT(5, PART_ROWS, part_rows, 16) /* of one subgroup */ \
  CONSTANT(6, PART_COLUMNS, part_columns, 16) \
  CONSTANT(7, FRAGMENT_ROWS, fragment_rows, 8) /* of one cooperative matrix */ \
  CONSTANT(8, FRAGMENT_COLUMNS, fragment_columns, 8) \
  CONSTANT(9, FRAGMENT_DEPTH, fragment_depth, 8) \
  CONSTANT(10, FORM, form, 0) /* NN, NT, TN: nn::Form */ \
  CONSTANT(11, SHARES, shares, 1) /* of the sum, each in a workgroup of its own */ \
  CONSTANT(12, TRANSPOSES, transposes, 0) /* 1: shared memory has all lines along the sum */
#define MATRIX_MATMUL_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, half8, a, inner) \
  READS(2, half8, b, ANY_COLUMNS) /* columns; in the form NT inner */ \
  UPDATES(3, vec4, c, columns) \
  READS(4, vec4, bias, columns) /* without MATMUL_BIAS any tensor as wide as c */
#define MATRIX_MATMUL_PUSH(FIELD) MATMUL_PUSH(FIELD)
// No host function: operands have 16 bits.
KERNEL_WITHOUT_HOST(matmul_matrix, MatrixMatmul, MATRIX_MATMUL)

#endif
