// Kernels of op_ssru.comp: simpler simple recurrent units, forward and backward.
#ifndef AWEND_SHADERS_OP_SSRU_H
#define AWEND_SHADERS_OP_SSRU_H

#include "lib/kernel.h"

#define SSRU_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64) /* size of the state */ \
  CONSTANT(2, HAS_INITIAL, has_initial, 0) /* 0: the first states are zero */ \
  CONSTANT(3, KEEP, keep, 0) /* 1: store the states */
#define SSRU_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, uvec2, ranges, 2) /* by sentence: its first row, and the end of its rows */ \
  READS(2, vec4, candidate, COLUMNS) \
  READS(3, vec4, forget, COLUMNS) \
  READS(4, vec4, initial, COLUMNS) /* by sentence */ \
  WRITES(5, vec4, y, COLUMNS) \
  WRITES(6, vec4, states, COLUMNS) /* after each row, with KEEP */
#define SSRU_PUSH(FIELD) \
  FIELD(count, sentences_count)
KERNEL(ssru, Ssru, SSRU)

#define SSRU_BACKWARD_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64)
#define SSRU_BACKWARD_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, uvec2, ranges, 2) \
  READS(2, vec4, candidate, COLUMNS) \
  READS(3, vec4, forget, COLUMNS) \
  READS(4, vec4, states, COLUMNS) \
  READS(5, vec4, dy, COLUMNS) \
  WRITES(6, vec4, dcandidate, COLUMNS) \
  WRITES(7, vec4, dforget, COLUMNS)
#define SSRU_BACKWARD_PUSH(FIELD) \
  FIELD(count, sentences_count)
KERNEL(ssru_backward, SsruBackward, SSRU_BACKWARD)

#endif
