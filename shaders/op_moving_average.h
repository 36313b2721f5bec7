// The kernel of op_moving_average.comp: the moving average of the parameters.
#ifndef AWEND_SHADERS_OP_MOVING_AVERAGE_H
#define AWEND_SHADERS_OP_MOVING_AVERAGE_H

#include "lib/kernel.h"
#include "lib/rows.h"
#include "lib/step.h"

#define MOVING_AVERAGE_CONSTANTS(CONSTANT)
#define MOVING_AVERAGE_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, StepScalars, step, 16) \
  READS(2, float, squared_norm, 2) /* (1, 2), the first number is used */ \
  READS(3, vec4, x, 1) \
  UPDATES(4, vec4, average, 1)
#define MOVING_AVERAGE_PUSH(FIELD) \
  FIELD(count, floats_count)
KERNEL(moving_average, MovingAverage, MOVING_AVERAGE)

#endif
