// The kernel of op_attention_bias.comp: the gradient of biases by relative positions.
#ifndef AWEND_SHADERS_OP_ATTENTION_BIAS_H
#define AWEND_SHADERS_OP_ATTENTION_BIAS_H

#include "lib/attention.h"
#include "lib/kernel.h"
#include "lib/relative_bias.h"
#include "lib/step.h"

#define ATTENTION_BIAS_CONSTANTS(CONSTANT) \
  CONSTANT(1, HEADS, heads, 1) \
  CONSTANT(2, D_K, d_k, 64) \
  CONSTANT(3, D_V, d_v, 64) \
  CONSTANT(4, DROPS, drops, 0) /* 1: dropout of weights */ \
  CONSTANT(5, MAX_DISTANCE, max_distance, 128) \
  CONSTANT(6, BUCKETS, bucket_count, 32) \
  CONSTANT(7, PER_LANE, per_lane, 4) /* ceil(BUCKETS / LANES) */
#define ATTENTION_BIAS_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, StepScalars, step, 16) \
  READS(2, uvec2, ranges, 2) /* of each query: its keys */ \
  READS(3, vec4, q, HEADS * D_K) \
  READS(4, vec4, k, HEADS * D_K) \
  READS(5, vec4, v, HEADS * D_V) \
  READS(6, vec4, dy, HEADS * D_V) \
  READS(7, float, log_sum_exp, HEADS) \
  READS(8, float, deltas, HEADS) /* by the kernel for gradients of queries */ \
  RELATIVE_BIAS_OPERANDS(READS, 9, 10) \
  WRITES(11, float, sums, BUCKETS * HEADS) /* in the order of bias */
#define ATTENTION_BIAS_PUSH(FIELD) ATTENTION_PUSH(FIELD)
KERNEL(attention_bias, AttentionBias, ATTENTION_BIAS)

#endif
