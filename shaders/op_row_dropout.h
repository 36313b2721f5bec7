// The kernel of op_row_dropout.comp: dropout with a mask for each entry of a table.
#ifndef AWEND_SHADERS_OP_ROW_DROPOUT_H
#define AWEND_SHADERS_OP_ROW_DROPOUT_H

#include "lib/kernel.h"
#include "lib/rows.h"
#include "lib/step.h"

#define ROW_DROPOUT_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64) \
  CONSTANT(2, HAS_X, has_x, 0) /* 1: add x */ \
  CONSTANT(3, ADD, add, 0) /* 1: add to y instead of writing it */
#define ROW_DROPOUT_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, StepScalars, step, 16) \
  READS(2, uint, masks, 1) /* the number of the mask of each row */ \
  READS(3, vec4, x, COLUMNS) \
  READS(4, vec4, a, COLUMNS) \
  UPDATES(5, vec4, y, COLUMNS)
#define ROW_DROPOUT_PUSH(FIELD) \
  FIELD(count, rows_count) \
  FIELD(uint, dropout_id) /* identifies this use of dropout in the model */ \
  FIELD(uint, threshold) /* a smaller random word drops its element */ \
  FIELD(float, scale) /* 1 / (1 − P_drop) */
KERNEL(row_dropout, RowDropout, ROW_DROPOUT)

#endif
