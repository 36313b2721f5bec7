// Kernels of op_gated_activation.comp: gated activation functions, forward and backward.
#ifndef AWEND_SHADERS_OP_GATED_ACTIVATION_H
#define AWEND_SHADERS_OP_GATED_ACTIVATION_H

#include "lib/activations.h"
#include "lib/kernel.h"
#include "lib/rows.h"

#define GATED_ACTIVATION_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64) \
  CONSTANT(2, FUNCTION, function, ACTIVATION_GELU) /* a number of lib/activations.h */
#define GATED_ACTIVATION_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, vec4, z, COLUMNS) \
  READS(2, vec4, x, COLUMNS) \
  WRITES(3, vec4, y, COLUMNS)
#define GATED_ACTIVATION_PUSH(FIELD) \
  FIELD(count, rows_count)
KERNEL(gated_activation, GatedActivation, GATED_ACTIVATION)

#define GATED_ACTIVATION_BACKWARD_CONSTANTS(CONSTANT) GATED_ACTIVATION_CONSTANTS(CONSTANT)
#define GATED_ACTIVATION_BACKWARD_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, vec4, z, COLUMNS) \
  READS(2, vec4, x, COLUMNS) \
  READS(3, vec4, dy, COLUMNS) \
  WRITES(4, vec4, dz, COLUMNS) \
  WRITES(5, vec4, dx, COLUMNS)
#define GATED_ACTIVATION_BACKWARD_PUSH(FIELD) GATED_ACTIVATION_PUSH(FIELD)
KERNEL_LIKE(gated_activation_backward, GatedActivationBackward, GATED_ACTIVATION_BACKWARD,
            GatedActivation)

#endif
