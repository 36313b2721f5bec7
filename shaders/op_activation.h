// Kernels of op_activation.comp: activation functions, forward and backward.
#ifndef AWEND_SHADERS_OP_ACTIVATION_H
#define AWEND_SHADERS_OP_ACTIVATION_H

#include "lib/activations.h"
#include "lib/kernel.h"
#include "lib/rows.h"

#define ACTIVATION_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64) \
  CONSTANT(2, FUNCTION, function, ACTIVATION_GELU) /* a number of lib/activations.h */
#define ACTIVATION_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, vec4, z, COLUMNS) \
  WRITES(2, vec4, y, COLUMNS)
#define ACTIVATION_PUSH(FIELD) \
  FIELD(count, rows_count)
KERNEL(activation, Activation, ACTIVATION)

#define ACTIVATION_BACKWARD_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64) \
  CONSTANT(2, FUNCTION, function, ACTIVATION_GELU) \
  CONSTANT(3, ADD, add, 0) /* 1: add to dz instead of writing it */
#define ACTIVATION_BACKWARD_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, vec4, z, COLUMNS) \
  READS(2, vec4, dy, COLUMNS) \
  UPDATES(3, vec4, dz, COLUMNS)
#define ACTIVATION_BACKWARD_PUSH(FIELD) \
  FIELD(count, rows_count)
KERNEL(activation_backward, ActivationBackward, ACTIVATION_BACKWARD)

#endif
