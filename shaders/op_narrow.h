// The kernel of op_narrow.comp: fp32 to 16 bits.
#ifndef AWEND_SHADERS_OP_NARROW_H
#define AWEND_SHADERS_OP_NARROW_H

#include "lib/kernel.h"
#include "lib/rows.h"

#define NARROW_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64) \
  CONSTANT(2, ROWS, rows, 4) /* of one subgroup */ \
  CONSTANT(3, FP16, fp16, 0) /* 1: fp16, 0: bf16 */
#define NARROW_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, vec4, x, COLUMNS) \
  WRITES(2, half4, y, COLUMNS)
#define NARROW_PUSH(FIELD) \
  FIELD(count, rows_count)
// No host function: only operands of matrix units have 16 bits.
KERNEL_WITHOUT_HOST(narrow, Narrow, NARROW)

#endif
