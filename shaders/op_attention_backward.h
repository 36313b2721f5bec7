// Kernels of op_attention_backward.comp: gradients of attention.
#ifndef AWEND_SHADERS_OP_ATTENTION_BACKWARD_H
#define AWEND_SHADERS_OP_ATTENTION_BACKWARD_H

#include "lib/kernel.h"
#include "lib/step.h"
#include "op_attention.h"

#define ATTENTION_BACKWARD_QUERY_CONSTANTS(CONSTANT) ATTENTION_CONSTANTS(CONSTANT)
#define ATTENTION_BACKWARD_QUERY_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, StepScalars, step, 16) \
  READS(2, uvec2, ranges, 2) /* of each query: its keys */ \
  READS(3, vec4, q, HEADS * D_K) \
  READS(4, vec4, k, HEADS * D_K) \
  READS(5, vec4, v, HEADS * D_V) \
  READS(6, vec4, dy, HEADS * D_V) \
  READS(7, float, log_sum_exp, HEADS) \
  READS(8, vec4, y, HEADS * D_V) \
  WRITES(9, float, deltas, HEADS) /* for the other kernel */ \
  WRITES(10, vec4, dq, HEADS * D_K)
#define ATTENTION_BACKWARD_QUERY_PUSH(FIELD) ATTENTION_PUSH(FIELD)
KERNEL_LIKE(attention_backward_query, AttentionBackwardQuery, ATTENTION_BACKWARD_QUERY, Attention)

#define ATTENTION_BACKWARD_KEY_CONSTANTS(CONSTANT) ATTENTION_CONSTANTS(CONSTANT)
#define ATTENTION_BACKWARD_KEY_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, StepScalars, step, 16) \
  READS(2, uvec2, ranges, 2) /* of each key: its queries */ \
  READS(3, vec4, q, HEADS * D_K) \
  READS(4, vec4, k, HEADS * D_K) \
  READS(5, vec4, v, HEADS * D_V) \
  READS(6, vec4, dy, HEADS * D_V) \
  READS(7, float, log_sum_exp, HEADS) \
  READS(8, float, deltas, HEADS) \
  WRITES(9, vec4, dk, HEADS * D_K) \
  WRITES(10, vec4, dv, HEADS * D_V)
#define ATTENTION_BACKWARD_KEY_PUSH(FIELD) ATTENTION_PUSH(FIELD)
KERNEL_LIKE(attention_backward_key, AttentionBackwardKey, ATTENTION_BACKWARD_KEY, Attention)

#define ATTENTION_BIASED_QUERY_CONSTANTS(CONSTANT) ATTENTION_BIASED_CONSTANTS(CONSTANT)
#define ATTENTION_BIASED_QUERY_OPERANDS(READS, WRITES, UPDATES) \
  ATTENTION_BACKWARD_QUERY_OPERANDS(READS, WRITES, UPDATES) \
  RELATIVE_BIAS_OPERANDS(READS, 11, 12)
#define ATTENTION_BIASED_QUERY_PUSH(FIELD) ATTENTION_PUSH(FIELD)
KERNEL_LIKE(attention_biased_query, AttentionBiasedQuery, ATTENTION_BIASED_QUERY, AttentionBiased)

#define ATTENTION_BIASED_KEY_CONSTANTS(CONSTANT) ATTENTION_BIASED_CONSTANTS(CONSTANT)
#define ATTENTION_BIASED_KEY_OPERANDS(READS, WRITES, UPDATES) \
  ATTENTION_BACKWARD_KEY_OPERANDS(READS, WRITES, UPDATES) \
  RELATIVE_BIAS_OPERANDS(READS, 11, 12)
#define ATTENTION_BIASED_KEY_PUSH(FIELD) ATTENTION_PUSH(FIELD)
KERNEL_LIKE(attention_biased_key, AttentionBiasedKey, ATTENTION_BIASED_KEY, AttentionBiased)

#endif
