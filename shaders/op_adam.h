// The kernel of op_adam.comp: the Adam update of a flat buffer.
#ifndef AWEND_SHADERS_OP_ADAM_H
#define AWEND_SHADERS_OP_ADAM_H

#include "lib/kernel.h"
#include "lib/rows.h"
#include "lib/step.h"

#define ADAM_CONSTANTS(CONSTANT)
#define ADAM_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, StepScalars, step, 16) \
  READS(2, float, squared_norm, 2) /* (1, 2), the first number is used */ \
  UPDATES(3, vec4, x, 1) \
  UPDATES(4, vec4, gradients, 1) \
  UPDATES(5, vec4, m, 1) \
  UPDATES(6, vec4, v, 1)
#define ADAM_PUSH(FIELD) \
  FIELD(count, floats_count) \
  FIELD(float, beta1) \
  FIELD(float, beta2) \
  FIELD(float, epsilon) \
  FIELD(float, weight_decay)
KERNEL(adam, Adam, ADAM)

#endif
