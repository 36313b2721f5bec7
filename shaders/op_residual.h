// Kernels of op_residual.comp: the residual connection with dropout, forward and backward.
#ifndef AWEND_SHADERS_OP_RESIDUAL_H
#define AWEND_SHADERS_OP_RESIDUAL_H

#include "lib/kernel.h"
#include "lib/rows.h"
#include "lib/step.h"

#define RESIDUAL_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64) \
  CONSTANT(2, HAS_X, has_x, 1) /* 0: dropout only */ \
  CONSTANT(3, ADD_X, add_x, 0) /* backward: 1: add to dx instead of writing it */ \
  CONSTANT(4, ADD_A, add_a, 0) /* backward: 1: add to da */ \
  CONSTANT(5, DROPS, drops, 1) /* 0: no dropout */
#define RESIDUAL_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, StepScalars, step, 16) \
  READS(2, vec4, x, COLUMNS) \
  READS(3, vec4, a, COLUMNS) \
  WRITES(4, vec4, y, COLUMNS)
#define RESIDUAL_PUSH(FIELD) \
  FIELD(count, rows_count) \
  FIELD(uint, dropout_id) /* identifies this use of dropout in the model */ \
  FIELD(uint, threshold) /* a smaller random word drops its element */ \
  FIELD(float, scale) /* 1 / (1 − P_drop) */
KERNEL(residual, Residual, RESIDUAL)

#define RESIDUAL_BACKWARD_CONSTANTS(CONSTANT) RESIDUAL_CONSTANTS(CONSTANT)
#define RESIDUAL_BACKWARD_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, StepScalars, step, 16) \
  READS(2, vec4, dy, COLUMNS) \
  UPDATES(3, vec4, dx, COLUMNS) \
  UPDATES(4, vec4, da, COLUMNS)
#define RESIDUAL_BACKWARD_PUSH(FIELD) RESIDUAL_PUSH(FIELD)
KERNEL_LIKE(residual_backward, ResidualBackward, RESIDUAL_BACKWARD, Residual)

#endif
