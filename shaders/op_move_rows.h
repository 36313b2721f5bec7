// The kernel of op_move_rows.comp: copies of rows, or of some of their columns.
#ifndef AWEND_SHADERS_OP_MOVE_ROWS_H
#define AWEND_SHADERS_OP_MOVE_ROWS_H

#include "lib/kernel.h"
#include "lib/rows.h"

#define MOVE_ROWS_CONSTANTS(CONSTANT) \
  CONSTANT(1, WIDTH, width, 64) /* columns to copy */ \
  CONSTANT(2, X_COLUMNS, x_columns, 64) \
  CONSTANT(3, X_OFFSET, x_offset, 0) /* first column in x */ \
  CONSTANT(4, Y_COLUMNS, y_columns, 64) \
  CONSTANT(5, Y_OFFSET, y_offset, 0) /* first column in y */ \
  CONSTANT(6, GATHER, gather, 0) /* 1: row i of y is row table[i] of x */ \
  CONSTANT(7, SCATTER, scatter, 0) /* 1: row table[i] of y is row i of x */ \
  CONSTANT(8, ZERO, zero, 0) /* 1: x is zero */ \
  CONSTANT(9, ADD, add, 0) /* 1: add to y instead of writing it */
#define MOVE_ROWS_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, uint, table, ANY_COLUMNS) /* entries NO_TOKEN leave their row as it is */ \
  READS(2, vec4, x, X_COLUMNS) \
  UPDATES(3, vec4, y, Y_COLUMNS)
#define MOVE_ROWS_PUSH(FIELD) \
  FIELD(count, rows_count)
KERNEL(move_rows, MoveRows, MOVE_ROWS)

#endif
