// The kernel of op_embedding_bag.comp: weighted sums of embeddings.
#ifndef AWEND_SHADERS_OP_EMBEDDING_BAG_H
#define AWEND_SHADERS_OP_EMBEDDING_BAG_H

#include "lib/bag.h"
#include "lib/kernel.h"

#define EMBEDDING_BAG_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64) \
  CONSTANT(2, WEIGHTS, weights, BAG_ONE) /* BAG_ONE or BAG_POSITION */
#define EMBEDDING_BAG_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, uint, ids, 1) \
  READS(2, uvec2, rows_of_bag, 2) \
  READS(3, vec4, table, COLUMNS) \
  WRITES(4, vec4, y, COLUMNS)
#define EMBEDDING_BAG_PUSH(FIELD) \
  FIELD(count, bags_count)
KERNEL(embedding_bag, EmbeddingBag, EMBEDDING_BAG)

#endif
