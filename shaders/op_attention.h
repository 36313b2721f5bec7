// The kernel of op_attention.comp: scaled dot-product attention.
#ifndef AWEND_SHADERS_OP_ATTENTION_H
#define AWEND_SHADERS_OP_ATTENTION_H

#include "lib/attention.h"
#include "lib/kernel.h"
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

#endif
