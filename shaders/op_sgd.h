// The kernel of op_sgd.comp: stochastic gradient descent on a flat buffer.
#ifndef AWEND_SHADERS_OP_SGD_H
#define AWEND_SHADERS_OP_SGD_H

#include "lib/kernel.h"
#include "lib/rows.h"
#include "lib/step.h"

#define SGD_CONSTANTS(CONSTANT)
#define SGD_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, StepScalars, step, 16) \
  READS(2, float, squared_norm, 2) /* (1, 2), the first number is used */ \
  UPDATES(3, vec4, x, 1) \
  UPDATES(4, vec4, gradients, 1)
#define SGD_PUSH(FIELD) \
  FIELD(count, floats_count) \
  FIELD(float, weight_decay)
KERNEL(sgd, Sgd, SGD)

#endif
