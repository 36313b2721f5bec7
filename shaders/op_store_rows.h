// The kernel of op_store_rows.comp: rows into a cache.
#ifndef AWEND_SHADERS_OP_STORE_ROWS_H
#define AWEND_SHADERS_OP_STORE_ROWS_H

#include "lib/kernel.h"
#include "lib/rows.h"

#define STORE_ROWS_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64)
#define STORE_ROWS_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, uint, places, 1) \
  READS(2, vec4, x, COLUMNS) \
  WRITES(3, vec4, cache, COLUMNS)
#define STORE_ROWS_PUSH(FIELD) \
  FIELD(count, rows_count)
KERNEL(store_rows, StoreRows, STORE_ROWS)

#endif
