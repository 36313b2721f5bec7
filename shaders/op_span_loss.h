// The kernel of op_span_loss.comp: cross entropy of the first and the last row of a span of each
// sentence, and its gradient.
#ifndef AWEND_SHADERS_OP_SPAN_LOSS_H
#define AWEND_SHADERS_OP_SPAN_LOSS_H

#include "lib/kernel.h"
#include "lib/step.h"

#define SPAN_LOSS_CONSTANTS(CONSTANT) \
  CONSTANT(1, GRADIENT, gradient, 1) /* 1: replace the logits by their gradient */
#define SPAN_LOSS_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, StepScalars, step, 16) \
  READS(2, uvec2, ranges, 2) /* by sentence: its first row, and the end of its rows */ \
  READS(3, uvec2, targets, 2) /* by sentence: the first and the last row of its span */ \
  UPDATES(4, vec4, logits, 4) /* by row: as the first, and as the last; two columns of padding */ \
  WRITES(5, vec2, losses, 2) /* by sentence */
#define SPAN_LOSS_PUSH(FIELD) \
  FIELD(count, sentences_count)
KERNEL(span_loss, SpanLoss, SPAN_LOSS)

#endif
