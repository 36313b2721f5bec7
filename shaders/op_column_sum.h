// Kernels of op_column_sum.comp: sums over rows, in two stages.
#ifndef AWEND_SHADERS_OP_COLUMN_SUM_H
#define AWEND_SHADERS_OP_COLUMN_SUM_H

#include "lib/kernel.h"

// Rows that one subgroup adds in the first stage.
#define COLUMN_SUM_ROWS 64

#define COLUMN_SUM_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64)
#define COLUMN_SUM_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, vec4, dy, COLUMNS) \
  WRITES(2, vec4, partial, COLUMNS)
#define COLUMN_SUM_PUSH(FIELD) \
  FIELD(count, rows_count)
KERNEL(column_sum, ColumnSum, COLUMN_SUM)

#define COLUMN_SUM_NORM_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64)
#define COLUMN_SUM_NORM_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, vec4, dy, COLUMNS) \
  WRITES(2, vec4, partial, 2 * COLUMNS) \
  READS(3, vec4, x, COLUMNS) \
  READS(4, vec2, moments, 2)
#define COLUMN_SUM_NORM_PUSH(FIELD) \
  FIELD(count, rows_count)
KERNEL(column_sum_norm, ColumnSumNorm, COLUMN_SUM_NORM)

#define COLUMN_SUM_FINAL_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64) \
  CONSTANT(2, PARTS, parts, 1) /* parts of a row of `partial`, COLUMNS wide */ \
  CONSTANT(3, PART, part, 0) /* the part to add */
#define COLUMN_SUM_FINAL_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, vec4, partial, PARTS * COLUMNS) \
  UPDATES(2, vec4, gradient, COLUMNS)
#define COLUMN_SUM_FINAL_PUSH(FIELD) \
  FIELD(count, rows_count)
KERNEL(column_sum_final, ColumnSumFinal, COLUMN_SUM_FINAL)

#endif
