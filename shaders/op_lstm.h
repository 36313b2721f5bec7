// Kernels of op_lstm.comp: one step of LSTM cells, forward and backward.
#ifndef AWEND_SHADERS_OP_LSTM_H
#define AWEND_SHADERS_OP_LSTM_H

#include "lib/kernel.h"

#define LSTM_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64) /* size of the state */ \
  CONSTANT(2, HAS_INPUTS, has_inputs, 1) /* 1: `gates` holds products of the inputs */ \
  CONSTANT(3, HAS_INPUT, has_input, 0) /* 1: `input` holds products of inputs of this step */ \
  CONSTANT(4, KEEP, keep, 0) /* 1: store what the gradient needs */
#define LSTM_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, uint, table, 1) /* the packed rows of all steps */ \
  READS(2, vec4, input, 4 * COLUMNS) /* by rank */ \
  READS(3, vec4, hidden, 4 * COLUMNS) /* by rank: the product of the state before the step */ \
  UPDATES(4, vec4, gates, 4 * COLUMNS) /* packed */ \
  UPDATES(5, vec4, h, COLUMNS) /* by rank: the state */ \
  UPDATES(6, vec4, c, COLUMNS) \
  WRITES(7, vec4, y, COLUMNS) /* packed: h after the step */ \
  WRITES(8, vec4, h_before, COLUMNS) /* packed, with KEEP */ \
  WRITES(9, vec4, c_before, COLUMNS)
#define LSTM_PUSH(FIELD) \
  FIELD(count, rows_count)
KERNEL(lstm, Lstm, LSTM)

#define LSTM_BACKWARD_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64) \
  CONSTANT(2, HAS_DY, has_dy, 1) /* 0: dy is zero */
#define LSTM_BACKWARD_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, uint, table, 1) \
  READS(2, vec4, gates, 4 * COLUMNS) \
  READS(3, vec4, c_before, COLUMNS) \
  READS(4, vec4, dy, COLUMNS) /* packed */ \
  READS(5, vec4, dh, COLUMNS) /* by rank: from later steps */ \
  UPDATES(6, vec4, dc, COLUMNS) /* by rank: after the step, then before it */ \
  WRITES(7, vec4, dgates, 4 * COLUMNS) /* packed: before the nonlinear functions */ \
  WRITES(8, vec4, dgates_of_step, 4 * COLUMNS) /* by rank: the same */
#define LSTM_BACKWARD_PUSH(FIELD) \
  FIELD(count, rows_count)
KERNEL(lstm_backward, LstmBackward, LSTM_BACKWARD)

#endif
