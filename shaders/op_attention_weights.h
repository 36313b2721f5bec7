// The kernels of op_attention_weights.comp: the weights of an attention.
#ifndef AWEND_SHADERS_OP_ATTENTION_WEIGHTS_H
#define AWEND_SHADERS_OP_ATTENTION_WEIGHTS_H

#include "lib/kernel.h"
#include "lib/relative_bias.h"

#define ATTENTION_WEIGHTS_CONSTANTS(CONSTANT) \
  CONSTANT(1, HEADS, heads, 1) \
  CONSTANT(2, D_K, d_k, 64) \
  CONSTANT(3, STRIDE, stride, 64) /* largest number of keys of a query */
#define ATTENTION_WEIGHTS_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, uvec2, key_ranges, 2) \
  READS(2, vec4, q, HEADS * D_K) \
  READS(3, vec4, k, HEADS * D_K) \
  READS(4, float, log_sum_exp, HEADS) \
  WRITES(5, float, weights, HEADS * STRIDE)
#define ATTENTION_WEIGHTS_PUSH(FIELD) \
  FIELD(count, rows_count)
KERNEL(attention_weights, AttentionWeights, ATTENTION_WEIGHTS)

#define ATTENTION_WEIGHTS_BIASED_CONSTANTS(CONSTANT) \
  ATTENTION_WEIGHTS_CONSTANTS(CONSTANT) \
  CONSTANT(4, MAX_DISTANCE, max_distance, 128)
#define ATTENTION_WEIGHTS_BIASED_OPERANDS(READS, WRITES, UPDATES) \
  ATTENTION_WEIGHTS_OPERANDS(READS, WRITES, UPDATES) \
  RELATIVE_BIAS_OPERANDS(READS, 6, 7)
#define ATTENTION_WEIGHTS_BIASED_PUSH(FIELD) ATTENTION_WEIGHTS_PUSH(FIELD)
KERNEL(attention_weights_biased, AttentionWeightsBiased, ATTENTION_WEIGHTS_BIASED)

#endif
