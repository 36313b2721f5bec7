// The kernel of op_relu_backward.comp: the gradient of the ReLU.
#ifndef AWEND_SHADERS_OP_RELU_BACKWARD_H
#define AWEND_SHADERS_OP_RELU_BACKWARD_H

#include "lib/kernel.h"
#include "lib/rows.h"

#define RELU_BACKWARD_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64)
#define RELU_BACKWARD_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, vec4, y, COLUMNS) \
  UPDATES(2, vec4, dy, COLUMNS)
#define RELU_BACKWARD_PUSH(FIELD) \
  FIELD(count, rows_count)
KERNEL(relu_backward, ReluBackward, RELU_BACKWARD)

#endif
