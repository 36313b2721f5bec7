// The kernels of op_attention_cached.comp: attention of one decoding step.
#ifndef AWEND_SHADERS_OP_ATTENTION_CACHED_H
#define AWEND_SHADERS_OP_ATTENTION_CACHED_H

#include "lib/kernel.h"
#include "lib/relative_bias.h"

#define ATTENTION_CACHED_CONSTANTS(CONSTANT) \
  CONSTANT(1, HEADS, heads, 1) \
  CONSTANT(2, D_K, d_k, 64) \
  CONSTANT(3, D_V, d_v, 64) \
  CONSTANT(4, PER_LANE, per_lane, 2) /* ceil(D_V / 4 / LANES) */
#define ATTENTION_CACHED_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, uvec2, past, 2) /* first entry of `ancestors` for a row, and the end of its entries */ \
  READS(2, uint, ancestors, 1) /* cache rows */ \
  READS(3, vec4, q, HEADS * D_K) \
  READS(4, vec4, k, HEADS * D_K) \
  READS(5, vec4, v, HEADS * D_V) \
  WRITES(6, vec4, y, HEADS * D_V)
#define ATTENTION_CACHED_PUSH(FIELD) \
  FIELD(count, rows_count)
KERNEL(attention_cached, AttentionCached, ATTENTION_CACHED)

#define ATTENTION_CACHED_BIASED_CONSTANTS(CONSTANT) \
  ATTENTION_CACHED_CONSTANTS(CONSTANT) \
  CONSTANT(5, MAX_DISTANCE, max_distance, 128)
#define ATTENTION_CACHED_BIASED_OPERANDS(READS, WRITES, UPDATES) \
  ATTENTION_CACHED_OPERANDS(READS, WRITES, UPDATES) \
  RELATIVE_BIAS_OPERANDS(READS, 7, 8)
#define ATTENTION_CACHED_BIASED_PUSH(FIELD) ATTENTION_CACHED_PUSH(FIELD)
KERNEL(attention_cached_biased, AttentionCachedBiased, ATTENTION_CACHED_BIASED)

#endif
