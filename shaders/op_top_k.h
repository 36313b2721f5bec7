// The kernel of op_top_k.comp: the most probable tokens.
#ifndef AWEND_SHADERS_OP_TOP_K_H
#define AWEND_SHADERS_OP_TOP_K_H

#include "lib/kernel.h"
#include "lib/tokens.h"

// Blocks of a lane's columns for which the kernel keeps the best entry.
#define TOP_K_BLOCKS 16
#define TOP_K_STEP 4

#define TOP_K_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64) \
  CONSTANT(2, K, k, 8)
#define TOP_K_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, uint, forced_id, 1) \
  READS(2, vec4, logits, COLUMNS) \
  WRITES(3, uint, ids, K) \
  WRITES(4, float, log_probabilities, K)
#define TOP_K_PUSH(FIELD) \
  FIELD(count, rows_count) \
  FIELD(uint, vocabulary) /* columns from this one on are padding */
KERNEL(top_k, TopK, TOP_K)

#endif
