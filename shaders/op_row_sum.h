// The kernel of op_row_sum.comp: the sum of all rows.
#ifndef AWEND_SHADERS_OP_ROW_SUM_H
#define AWEND_SHADERS_OP_ROW_SUM_H

#include "lib/kernel.h"

#define ROW_SUM_CONSTANTS(CONSTANT)
#define ROW_SUM_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, vec2, pairs, 2) \
  WRITES(2, vec2, totals, 2)
#define ROW_SUM_PUSH(FIELD) \
  FIELD(count, rows_count)
KERNEL(row_sum, RowSum, ROW_SUM)

#endif
