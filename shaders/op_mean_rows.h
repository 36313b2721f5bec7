// Kernels of op_mean_rows.comp: means or sums of the rows of each sentence, and their gradient.
// The gradient of a sum copies a row to the rows of its sentence, which is an operation, too.
#ifndef AWEND_SHADERS_OP_MEAN_ROWS_H
#define AWEND_SHADERS_OP_MEAN_ROWS_H

#include "lib/kernel.h"

#define MEAN_ROWS_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64) \
  CONSTANT(2, SUM, sum, 0) /* 1: the sum instead of the mean */ \
  CONSTANT(3, ADD, add, 0) /* 1: add to y instead of writing it */
#define MEAN_ROWS_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, uvec2, ranges, 2) /* by sentence: its first row, and the end of its rows */ \
  READS(2, vec4, x, COLUMNS) \
  UPDATES(3, vec4, y, COLUMNS) /* by sentence */
#define MEAN_ROWS_PUSH(FIELD) \
  FIELD(count, sentences_count)
KERNEL(mean_rows, MeanRows, MEAN_ROWS)

#define MEAN_ROWS_BACKWARD_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64) \
  CONSTANT(2, SUM, sum, 0) \
  CONSTANT(3, ADD, add, 0) /* 1: add to dx instead of writing it */
#define MEAN_ROWS_BACKWARD_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, uvec2, ranges, 2) \
  READS(2, vec4, dy, COLUMNS) \
  UPDATES(3, vec4, dx, COLUMNS)
#define MEAN_ROWS_BACKWARD_PUSH(FIELD) \
  FIELD(count, sentences_count)
KERNEL(mean_rows_backward, MeanRowsBackward, MEAN_ROWS_BACKWARD)

#endif
