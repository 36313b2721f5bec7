// The kernel of op_embedding_bag_backward.comp: the gradient of the table of bags of embeddings.
#ifndef AWEND_SHADERS_OP_EMBEDDING_BAG_BACKWARD_H
#define AWEND_SHADERS_OP_EMBEDDING_BAG_BACKWARD_H

#include "lib/bag.h"
#include "lib/kernel.h"

#define EMBEDDING_BAG_BACKWARD_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64) \
  CONSTANT(2, WEIGHTS, weights, BAG_ONE)
#define EMBEDDING_BAG_BACKWARD_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, uint, segment_ids, 1) \
  READS(2, uint, segment_begins, 1) \
  READS(3, uint, sorted_rows, 1) \
  READS(4, uvec2, bags_of_row, 2) \
  READS(5, uvec2, rows_of_bag, 2) \
  READS(6, vec4, dy, COLUMNS) \
  UPDATES(7, vec4, gradient, COLUMNS)
#define EMBEDDING_BAG_BACKWARD_PUSH(FIELD) \
  FIELD(count, segments_count)
KERNEL(embedding_bag_backward, EmbeddingBagBackward, EMBEDDING_BAG_BACKWARD)

#endif
