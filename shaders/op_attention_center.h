// Kernels of op_attention_center.comp: the centers of local attention, forward and backward.
#ifndef AWEND_SHADERS_OP_ATTENTION_CENTER_H
#define AWEND_SHADERS_OP_ATTENTION_CENTER_H

#include "lib/kernel.h"

#define ATTENTION_CENTER_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64) \
  CONSTANT(2, KEEP, keep, 0) /* 1: store the products */
#define ATTENTION_CENTER_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, uint, table, 1) /* the packed rows of all steps */ \
  READS(2, uvec2, ranges, 2) /* packed: first key of a row, and the end of its keys */ \
  READS(3, vec4, z, COLUMNS) /* by rank: products of the query */ \
  READS(4, vec4, v, COLUMNS) /* one row */ \
  WRITES(5, float, centers, 1) /* packed */ \
  WRITES(6, vec4, products, COLUMNS) /* packed, with KEEP: z */
#define ATTENTION_CENTER_PUSH(FIELD) \
  FIELD(count, rows_count)
KERNEL(attention_center, AttentionCenter, ATTENTION_CENTER)

#define ATTENTION_CENTER_BACKWARD_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64)
#define ATTENTION_CENTER_BACKWARD_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, uint, table, 1) \
  READS(2, uvec2, ranges, 2) \
  READS(3, vec4, products, COLUMNS) /* packed */ \
  READS(4, vec4, v, COLUMNS) \
  READS(5, float, centers, 1) \
  READS(6, float, dcenters, 1) \
  WRITES(7, vec4, dz, COLUMNS) /* by rank */ \
  WRITES(8, vec4, dproducts, COLUMNS) /* packed: the same */ \
  WRITES(9, vec4, dv, COLUMNS) /* packed: the part of each row of the gradient of v */
#define ATTENTION_CENTER_BACKWARD_PUSH(FIELD) \
  FIELD(count, rows_count)
KERNEL(attention_center_backward, AttentionCenterBackward, ATTENTION_CENTER_BACKWARD)

#endif
