// Kernels of op_rms_norm.comp: RMS normalization, forward and backward.
#ifndef AWEND_SHADERS_OP_RMS_NORM_H
#define AWEND_SHADERS_OP_RMS_NORM_H

#include "lib/kernel.h"
#include "lib/rows.h"

#define RMS_NORM_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64) \
  CONSTANT(2, PER_LANE, per_lane, 2) /* ceil(COLUMNS / 4 / LANES) */
#define RMS_NORM_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, vec4, x, COLUMNS) \
  READS(2, vec4, gain, COLUMNS) \
  WRITES(3, vec4, y, COLUMNS) \
  WRITES(4, vec2, moments, 2) /* 0 and 1/r of each row, as those of layer normalization */
#define RMS_NORM_PUSH(FIELD) \
  FIELD(count, rows_count) \
  FIELD(float, epsilon)
KERNEL(rms_norm, RmsNorm, RMS_NORM)

#define RMS_NORM_BACKWARD_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64) \
  CONSTANT(2, PER_LANE, per_lane, 2) \
  CONSTANT(3, ADD, add, 0) /* 1: add to dx instead of writing it */
#define RMS_NORM_BACKWARD_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, vec4, x, COLUMNS) \
  READS(2, vec4, gain, COLUMNS) \
  READS(3, vec4, dy, COLUMNS) \
  READS(4, vec2, moments, 2) \
  UPDATES(5, vec4, dx, COLUMNS)
#define RMS_NORM_BACKWARD_PUSH(FIELD) \
  FIELD(count, rows_count)
KERNEL(rms_norm_backward, RmsNormBackward, RMS_NORM_BACKWARD)

#endif
