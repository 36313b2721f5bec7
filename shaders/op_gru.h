// Kernels of op_gru.comp: one step of gated recurrent units, forward and backward.
#ifndef AWEND_SHADERS_OP_GRU_H
#define AWEND_SHADERS_OP_GRU_H

#include "lib/kernel.h"

#define GRU_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64) /* size of the state */ \
  CONSTANT(2, HAS_INPUTS, has_inputs, 1) /* 1: `gates` holds products of the inputs */ \
  CONSTANT(3, HAS_INPUT, has_input, 0) /* 1: `input` holds products of inputs of this step */ \
  CONSTANT(4, KEEP, keep, 0) /* 1: store what the gradient needs */
#define GRU_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, uint, table, 1) /* the packed rows of all steps */ \
  READS(2, vec4, input, 3 * COLUMNS) /* by rank */ \
  READS(3, vec4, hidden, 3 * COLUMNS) /* by rank: the product of the state before the step */ \
  UPDATES(4, vec4, gates, 3 * COLUMNS) /* packed */ \
  UPDATES(5, vec4, h, COLUMNS) /* by rank: the state */ \
  WRITES(6, vec4, y, COLUMNS) /* packed: h after the step */ \
  WRITES(7, vec4, h_before, COLUMNS) /* packed, with KEEP */ \
  WRITES(8, vec4, candidate, COLUMNS) /* packed, with KEEP: the part n of `hidden` */
#define GRU_PUSH(FIELD) \
  FIELD(count, rows_count)
KERNEL(gru, Gru, GRU)

#define GRU_BACKWARD_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64) \
  CONSTANT(2, HAS_DY, has_dy, 1) /* 0: dy is zero */
#define GRU_BACKWARD_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, uint, table, 1) \
  READS(2, vec4, gates, 3 * COLUMNS) \
  READS(3, vec4, h_before, COLUMNS) \
  READS(4, vec4, candidate, COLUMNS) \
  READS(5, vec4, dy, COLUMNS) /* packed */ \
  UPDATES(6, vec4, dh, COLUMNS) /* by rank: from later steps, then the part without a product */ \
  WRITES(7, vec4, dgates, 3 * COLUMNS) /* packed: of the input product */ \
  WRITES(8, vec4, dhidden, 3 * COLUMNS) /* packed: of the hidden product */ \
  WRITES(9, vec4, dgates_of_step, 3 * COLUMNS) /* by rank: the same */ \
  WRITES(10, vec4, dhidden_of_step, 3 * COLUMNS)
#define GRU_BACKWARD_PUSH(FIELD) \
  FIELD(count, rows_count)
KERNEL(gru_backward, GruBackward, GRU_BACKWARD)

#endif
