// Kernels of op_step_attention_keys.comp: gradients of keys and values of the attention of steps.
#ifndef AWEND_SHADERS_OP_STEP_ATTENTION_KEYS_H
#define AWEND_SHADERS_OP_STEP_ATTENTION_KEYS_H

#include "lib/kernel.h"

#define STEP_ATTENTION_KEYS_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64) \
  CONSTANT(2, ADDITIVE, additive, 0) /* 1: vᵀ tanh(q + k), 0: q · k */ \
  CONSTANT(3, STRIDE, stride, 64) /* the largest number of keys */ \
  CONSTANT(4, ADD, add, 0) /* 1: add to dk instead of writing it */
#define STEP_ATTENTION_KEYS_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, uvec2, queries_of_key, 2) /* of each key: its queries */ \
  READS(2, uvec2, keys_of_query, 2) /* of each query: its keys */ \
  READS(3, vec4, queries, COLUMNS) \
  READS(4, vec4, v, COLUMNS) /* one row, with ADDITIVE */ \
  READS(5, vec4, k, COLUMNS) \
  READS(6, float, dscores, STRIDE) \
  UPDATES(7, vec4, dk, COLUMNS) \
  WRITES(8, vec4, dv, COLUMNS) /* with ADDITIVE: the part of each key of the gradient of v */
#define STEP_ATTENTION_KEYS_PUSH(FIELD) \
  FIELD(count, rows_count) /* of the keys */
KERNEL(step_attention_keys, StepAttentionKeys, STEP_ATTENTION_KEYS)

#define STEP_ATTENTION_VALUES_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64) \
  CONSTANT(2, STRIDE, stride, 64) \
  CONSTANT(3, ADD, add, 0)
#define STEP_ATTENTION_VALUES_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, uvec2, queries_of_key, 2) \
  READS(2, uvec2, keys_of_query, 2) \
  READS(3, float, weights, STRIDE) \
  READS(4, vec4, dcontexts, COLUMNS) \
  UPDATES(5, vec4, dvalues, COLUMNS)
#define STEP_ATTENTION_VALUES_PUSH(FIELD) \
  FIELD(count, rows_count)
KERNEL(step_attention_values, StepAttentionValues, STEP_ATTENTION_VALUES)

#endif
