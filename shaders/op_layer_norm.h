// Kernels of op_layer_norm.comp: layer normalization, forward and backward.
#ifndef AWEND_SHADERS_OP_LAYER_NORM_H
#define AWEND_SHADERS_OP_LAYER_NORM_H

#include "lib/kernel.h"
#include "lib/rows.h"

#define LAYER_NORM_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64) \
  CONSTANT(2, PER_LANE, per_lane, 2) /* ceil(COLUMNS / 4 / LANES) */
#define LAYER_NORM_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, vec4, x, COLUMNS) \
  READS(2, vec4, gain, COLUMNS) \
  READS(3, vec4, bias, COLUMNS) \
  WRITES(4, vec4, y, COLUMNS) \
  WRITES(5, vec2, moments, 2) /* mean and 1/σ of each row */
#define LAYER_NORM_PUSH(FIELD) \
  FIELD(count, rows_count) \
  FIELD(float, epsilon)
KERNEL(layer_norm, LayerNorm, LAYER_NORM)

#define LAYER_NORM_BACKWARD_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64) \
  CONSTANT(2, PER_LANE, per_lane, 2) \
  CONSTANT(3, ADD, add, 0) /* 1: add to dx instead of writing it */
#define LAYER_NORM_BACKWARD_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, vec4, x, COLUMNS) \
  READS(2, vec4, gain, COLUMNS) \
  READS(3, vec4, dy, COLUMNS) \
  READS(4, vec2, moments, 2) \
  UPDATES(5, vec4, dx, COLUMNS)
#define LAYER_NORM_BACKWARD_PUSH(FIELD) \
  FIELD(count, rows_count)
KERNEL(layer_norm_backward, LayerNormBackward, LAYER_NORM_BACKWARD)

#endif
