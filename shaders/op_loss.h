// The kernel of op_loss.comp: label-smoothed cross entropy and its gradient.
#ifndef AWEND_SHADERS_OP_LOSS_H
#define AWEND_SHADERS_OP_LOSS_H

#include "lib/kernel.h"
#include "lib/step.h"
#include "lib/tokens.h"

#define LOSS_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64) \
  CONSTANT(2, GRADIENT, gradient, 1) /* 1: replace the logits by their gradient */
#define LOSS_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, StepScalars, step, 16) \
  READS(2, uint, targets, 1) /* NO_TOKEN: the row has no loss */ \
  UPDATES(3, vec4, logits, COLUMNS) \
  WRITES(4, vec2, losses, 2)
#define LOSS_PUSH(FIELD) \
  FIELD(count, rows_count) \
  FIELD(uint, vocabulary) /* columns from this one on are padding */ \
  FIELD(float, smoothing)
KERNEL(loss, Loss, LOSS)

#endif
