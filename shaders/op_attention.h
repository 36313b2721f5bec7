// The kernels of op_attention.comp: scaled dot-product attention.
#ifndef AWEND_SHADERS_OP_ATTENTION_H
#define AWEND_SHADERS_OP_ATTENTION_H

#include "lib/attention.h"
#include "lib/kernel.h"
#include "lib/relative_bias.h"
#include "lib/step.h"

#define ATTENTION_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, StepScalars, step, 16) \
  READS(2, uvec2, key_ranges, 2) /* of each query: first key, and end of its keys */ \
  READS(3, vec4, q, HEADS * D_K) \
  READS(4, vec4, k, HEADS * D_K) \
  READS(5, vec4, v, HEADS * D_V) \
  WRITES(6, vec4, y, HEADS * D_V) \
  WRITES(7, float, log_sum_exp, HEADS)
KERNEL(attention, Attention, ATTENTION)

#define ATTENTION_BIASED_CONSTANTS(CONSTANT) \
  ATTENTION_CONSTANTS(CONSTANT) \
  CONSTANT(9, MAX_DISTANCE, max_distance, 128)
#define ATTENTION_BIASED_OPERANDS(READS, WRITES, UPDATES) \
  ATTENTION_OPERANDS(READS, WRITES, UPDATES) \
  RELATIVE_BIAS_OPERANDS(READS, 8, 9)
#define ATTENTION_BIASED_PUSH(FIELD) ATTENTION_PUSH(FIELD)
KERNEL(attention_biased, AttentionBiased, ATTENTION_BIASED)

#endif
