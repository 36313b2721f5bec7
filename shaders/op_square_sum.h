// The kernel of op_square_sum.comp: partial sums of squares of a flat buffer.
#ifndef AWEND_SHADERS_OP_SQUARE_SUM_H
#define AWEND_SHADERS_OP_SQUARE_SUM_H

#include "lib/kernel.h"
#include "lib/rows.h"

#define SQUARE_SUM_CONSTANTS(CONSTANT)
#define SQUARE_SUM_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, vec4, values, 1) \
  WRITES(2, vec2, partials, 2)
#define SQUARE_SUM_PUSH(FIELD) \
  FIELD(count, floats_count) \
  FIELD(uint, first_partial) /* row of the first partial sum of this buffer */
KERNEL(square_sum, SquareSum, SQUARE_SUM)

#endif
