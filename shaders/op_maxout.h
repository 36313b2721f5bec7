// Kernels of op_maxout.comp: maxout units of two inputs each, forward and backward.
#ifndef AWEND_SHADERS_OP_MAXOUT_H
#define AWEND_SHADERS_OP_MAXOUT_H

#include "lib/kernel.h"
#include "lib/rows.h"

#define MAXOUT_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64) /* of y */ \
  CONSTANT(2, Z_COLUMNS, z_columns, 128) /* 2 · COLUMNS */
#define MAXOUT_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, vec4, z, Z_COLUMNS) \
  WRITES(2, vec4, y, COLUMNS)
#define MAXOUT_PUSH(FIELD) \
  FIELD(count, rows_count)
KERNEL(maxout, Maxout, MAXOUT)

#define MAXOUT_BACKWARD_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64) \
  CONSTANT(2, Z_COLUMNS, z_columns, 128) \
  CONSTANT(3, ADD, add, 0) /* 1: add to dz instead of writing it */
#define MAXOUT_BACKWARD_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, vec4, z, Z_COLUMNS) \
  READS(2, vec4, dy, COLUMNS) \
  UPDATES(3, vec4, dz, Z_COLUMNS)
#define MAXOUT_BACKWARD_PUSH(FIELD) \
  FIELD(count, rows_count)
KERNEL(maxout_backward, MaxoutBackward, MAXOUT_BACKWARD)

#endif
