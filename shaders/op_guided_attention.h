// Kernels of op_guided_attention.comp: the cost of the attention of one head compared with word
// alignments, and its gradients.
#ifndef AWEND_SHADERS_OP_GUIDED_ATTENTION_H
#define AWEND_SHADERS_OP_GUIDED_ATTENTION_H

#include "lib/kernel.h"
#include "lib/step.h"

// Values of COST.
#define GUIDED_CROSS_ENTROPY 0
#define GUIDED_SQUARED_ERROR 1
// Added to a weight before the logarithm.
#define GUIDED_EPSILON 1e-6

#define GUIDED_ATTENTION_CONSTANTS(CONSTANT) \
  CONSTANT(1, HEADS, heads, 1) \
  CONSTANT(2, D_K, d_k, 64) \
  CONSTANT(3, HEAD, head, 0) \
  CONSTANT(4, STRIDE, stride, 64) /* the largest number of keys of a query */ \
  CONSTANT(5, WORDS, words, 2) /* ceil(STRIDE / 32) */ \
  CONSTANT(6, COST, cost, GUIDED_CROSS_ENTROPY)
#define GUIDED_ATTENTION_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, StepScalars, step, 16) \
  READS(2, uvec2, key_ranges, 2) /* of each query: its keys */ \
  READS(3, uint, links, WORDS) /* of each query: bit i % 32 of word i / 32 is its ith key */ \
  READS(4, vec4, q, HEADS * D_K) \
  READS(5, vec4, k, HEADS * D_K) \
  UPDATES(6, float, dscores, STRIDE) /* the gradients of q · k, from the first key of a query */ \
  WRITES(7, vec2, costs, 2) /* of each query, twice */
#define GUIDED_ATTENTION_PUSH(FIELD) \
  FIELD(count, rows_count) \
  FIELD(float, weight) /* of the cost in the gradient */
KERNEL(guided_attention, GuidedAttention, GUIDED_ATTENTION)

#define GUIDED_ATTENTION_QUERY_CONSTANTS(CONSTANT) \
  CONSTANT(1, HEADS, heads, 1) \
  CONSTANT(2, D_K, d_k, 64) \
  CONSTANT(3, HEAD, head, 0) \
  CONSTANT(4, STRIDE, stride, 64)
#define GUIDED_ATTENTION_QUERY_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, uvec2, key_ranges, 2) \
  READS(2, float, dscores, STRIDE) \
  READS(3, vec4, k, HEADS * D_K) \
  UPDATES(4, vec4, dq, HEADS * D_K)
#define GUIDED_ATTENTION_QUERY_PUSH(FIELD) \
  FIELD(count, rows_count)
KERNEL(guided_attention_query, GuidedAttentionQuery, GUIDED_ATTENTION_QUERY)

#define GUIDED_ATTENTION_KEY_CONSTANTS(CONSTANT) GUIDED_ATTENTION_QUERY_CONSTANTS(CONSTANT)
#define GUIDED_ATTENTION_KEY_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, uvec2, key_ranges, 2) \
  READS(2, uvec2, queries_of_key, 2) /* of each key: its queries */ \
  READS(3, float, dscores, STRIDE) \
  READS(4, vec4, q, HEADS * D_K) \
  UPDATES(5, vec4, dk, HEADS * D_K)
#define GUIDED_ATTENTION_KEY_PUSH(FIELD) \
  FIELD(count, rows_count) /* of the keys */
KERNEL_LIKE(guided_attention_key, GuidedAttentionKey, GUIDED_ATTENTION_KEY, GuidedAttentionQuery)

#endif
