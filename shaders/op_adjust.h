// The kernel of op_adjust.comp: changes of single logits.
#ifndef AWEND_SHADERS_OP_ADJUST_H
#define AWEND_SHADERS_OP_ADJUST_H

#include "lib/kernel.h"
#include "lib/tokens.h"

#define ADJUST_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64)
#define ADJUST_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, uvec2, ranges, 2) /* first change of a row, and the end of its changes */ \
  READS(2, uvec2, changes, 2) /* a token id, and the bits of a float */ \
  UPDATES(3, float, logits, COLUMNS)
#define ADJUST_PUSH(FIELD) \
  FIELD(count, rows_count)
KERNEL(adjust, Adjust, ADJUST)

#endif
