// Kernels of op_fake_quantize.comp: numbers rounded as products of 8-bit integers round their
// operands.
#ifndef AWEND_SHADERS_OP_FAKE_QUANTIZE_H
#define AWEND_SHADERS_OP_FAKE_QUANTIZE_H

#include "lib/kernel.h"
#include "lib/rows.h"

#define FAKE_QUANTIZE_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64)
#define FAKE_QUANTIZE_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, vec4, x, COLUMNS) \
  WRITES(2, vec4, y, COLUMNS)
#define FAKE_QUANTIZE_PUSH(FIELD) \
  FIELD(count, rows_count) \
  FIELD(float, scale) /* of all numbers */
KERNEL(fake_quantize, FakeQuantize, FAKE_QUANTIZE)

#define FAKE_QUANTIZE_ROWS_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64)
#define FAKE_QUANTIZE_ROWS_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, vec4, x, COLUMNS) \
  WRITES(2, vec4, y, COLUMNS)
#define FAKE_QUANTIZE_ROWS_PUSH(FIELD) \
  FIELD(count, rows_count)
KERNEL(fake_quantize_rows, FakeQuantizeRows, FAKE_QUANTIZE_ROWS)

#define FAKE_QUANTIZE_COLUMNS_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64)
#define FAKE_QUANTIZE_COLUMNS_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, vec4, x, COLUMNS) \
  WRITES(2, vec4, y, COLUMNS)
#define FAKE_QUANTIZE_COLUMNS_PUSH(FIELD) \
  FIELD(count, rows_count)
KERNEL(fake_quantize_columns, FakeQuantizeColumns, FAKE_QUANTIZE_COLUMNS)

#define ROW_MAGNITUDES_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64)
#define ROW_MAGNITUDES_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, vec4, x, COLUMNS) \
  WRITES(2, float, y, 1)
#define ROW_MAGNITUDES_PUSH(FIELD) \
  FIELD(count, rows_count)
KERNEL(row_magnitudes, RowMagnitudes, ROW_MAGNITUDES)

#endif
