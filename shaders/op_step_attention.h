// Kernels of op_step_attention.comp: attention of one step of a recurrent decoder.
#ifndef AWEND_SHADERS_OP_STEP_ATTENTION_H
#define AWEND_SHADERS_OP_STEP_ATTENTION_H

#include "lib/kernel.h"

#define STEP_ATTENTION_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64) /* of queries and keys */ \
  CONSTANT(2, VALUE_COLUMNS, value_columns, 64) \
  CONSTANT(3, PER_LANE, per_lane, 2) /* ceil(VALUE_COLUMNS / 4 / LANES) */ \
  CONSTANT(4, ADDITIVE, additive, 0) /* 1: vᵀ tanh(q + k), 0: q · k */ \
  CONSTANT(5, STRIDE, stride, 64) /* the largest number of keys */ \
  CONSTANT(6, KEEP, keep, 0) /* 1: store weights and queries */ \
  CONSTANT(7, SWITCHED, switched, 0) /* 1: softmax as `softmax` tells, 0: always */ \
  CONSTANT(8, SLOTS, slots, 0) /* the softmax is over at least as many keys; others are zeros */ \
  CONSTANT(9, WINDOW, window, 0) /* D: only keys at most as far from the center; 0: all */ \
  CONSTANT(10, GAUSSIAN, gaussian, 0) /* with WINDOW, 1: weights fall with the distance */
#define STEP_ATTENTION_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, uint, table, 1) /* the packed rows of all steps */ \
  READS(2, uvec2, ranges, 2) /* packed: first key of a row, and the end of its keys */ \
  READS(3, vec4, q, COLUMNS) /* by rank */ \
  READS(4, vec4, v, COLUMNS) /* one row, with ADDITIVE */ \
  READS(5, vec4, k, COLUMNS) \
  READS(6, vec4, values, VALUE_COLUMNS) \
  WRITES(7, vec4, context, VALUE_COLUMNS) /* by rank */ \
  WRITES(8, vec4, contexts, VALUE_COLUMNS) /* packed: the same */ \
  WRITES(9, vec4, queries, COLUMNS) /* packed, with KEEP: q */ \
  UPDATES(10, float, weights, STRIDE) /* packed, with KEEP */ \
  READS(11, float, softmax, 1) /* with SWITCHED: 0 if weights are scores */ \
  READS(12, float, centers, 1) /* packed, with WINDOW: in keys, of which the first is 0 */
#define STEP_ATTENTION_PUSH(FIELD) \
  FIELD(count, rows_count)
KERNEL(step_attention, StepAttention, STEP_ATTENTION)

#define STEP_ATTENTION_BACKWARD_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64) \
  CONSTANT(2, VALUE_COLUMNS, value_columns, 64) \
  CONSTANT(3, PER_LANE, per_lane, 2) /* ceil(COLUMNS / 4 / LANES) */ \
  CONSTANT(4, ADDITIVE, additive, 0) \
  CONSTANT(5, STRIDE, stride, 64) \
  CONSTANT(6, ADD, add, 0) /* 1: add to dq instead of writing it */ \
  CONSTANT(7, SWITCHED, switched, 0) \
  CONSTANT(8, WINDOW, window, 0) \
  CONSTANT(9, GAUSSIAN, gaussian, 0)
#define STEP_ATTENTION_BACKWARD_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, uint, table, 1) \
  READS(2, uvec2, ranges, 2) \
  READS(3, vec4, queries, COLUMNS) /* packed */ \
  READS(4, vec4, v, COLUMNS) \
  READS(5, vec4, k, COLUMNS) \
  READS(6, vec4, values, VALUE_COLUMNS) \
  READS(7, float, weights, STRIDE) \
  READS(8, vec4, dcontexts, VALUE_COLUMNS) /* packed */ \
  UPDATES(9, float, dscores, STRIDE) /* packed */ \
  UPDATES(10, vec4, dq, COLUMNS) /* by rank */ \
  WRITES(11, vec4, dqueries, COLUMNS) /* packed: without what ADD adds to */ \
  READS(12, float, softmax, 1) \
  READS(13, float, centers, 1) \
  WRITES(14, float, dcenters, 1) /* packed, with GAUSSIAN */
#define STEP_ATTENTION_BACKWARD_PUSH(FIELD) \
  FIELD(count, rows_count)
KERNEL(step_attention_backward, StepAttentionBackward, STEP_ATTENTION_BACKWARD)

#endif
