// Kernels of op_attention_shared.comp: attention and its gradients with tiles in shared memory.
#ifndef AWEND_SHADERS_OP_ATTENTION_SHARED_H
#define AWEND_SHADERS_OP_ATTENTION_SHARED_H

#include "lib/attention.h"
#include "lib/kernel.h"
#include "lib/step.h"
#include "op_attention.h"
#include "op_attention_backward.h"

#define ATTENTION_SHARED_THREADS 64
#define ATTENTION_SHARED_OTHER_ROWS 32  // rows of the other side in a block

#define ATTENTION_SHARED_CONSTANTS(CONSTANT)               \
  CONSTANT(1, THREADS, threads, ATTENTION_SHARED_THREADS)  \
  CONSTANT(2, OWN, own, 32) /* rows of a tile: 16 or 32 */ \
  CONSTANT(3, HEADS, heads, 1)                             \
  CONSTANT(4, D_K, d_k, 64)                                \
  CONSTANT(5, D_V, d_v, 64)                                \
  CONSTANT(6, DROPS, drops, 0) /* 1: dropout of weights */
#define ATTENTION_SHARED_OPERANDS(READS, WRITES, UPDATES) ATTENTION_OPERANDS(READS, WRITES, UPDATES)
#define ATTENTION_SHARED_PUSH(FIELD) ATTENTION_PUSH(FIELD)
// No host functions: without workgroups, those of op_attention.h and op_attention_backward.h do it.
KERNEL_WITHOUT_HOST(attention_shared, AttentionShared, ATTENTION_SHARED)

#define ATTENTION_SHARED_QUERY_CONSTANTS(CONSTANT) ATTENTION_SHARED_CONSTANTS(CONSTANT)
#define ATTENTION_SHARED_QUERY_OPERANDS(READS, WRITES, UPDATES) \
  ATTENTION_BACKWARD_QUERY_OPERANDS(READS, WRITES, UPDATES)
#define ATTENTION_SHARED_QUERY_PUSH(FIELD) ATTENTION_PUSH(FIELD)
KERNEL_LIKE_WITHOUT_HOST(attention_shared_query, AttentionSharedQuery, ATTENTION_SHARED_QUERY,
                         AttentionShared)

#define ATTENTION_SHARED_KEY_CONSTANTS(CONSTANT) ATTENTION_SHARED_CONSTANTS(CONSTANT)
#define ATTENTION_SHARED_KEY_OPERANDS(READS, WRITES, UPDATES) \
  ATTENTION_BACKWARD_KEY_OPERANDS(READS, WRITES, UPDATES)
#define ATTENTION_SHARED_KEY_PUSH(FIELD) ATTENTION_PUSH(FIELD)
KERNEL_LIKE_WITHOUT_HOST(attention_shared_key, AttentionSharedKey, ATTENTION_SHARED_KEY,
                         AttentionShared)

#endif
