// The kernel of op_embedding_backward.comp: the gradient of an embedding table.
#ifndef AWEND_SHADERS_OP_EMBEDDING_BACKWARD_H
#define AWEND_SHADERS_OP_EMBEDDING_BACKWARD_H

#include "lib/kernel.h"
#include "lib/step.h"

#define EMBEDDING_BACKWARD_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64) \
  CONSTANT(2, DROPS, drops, 1) /* 0: no dropout */
#define EMBEDDING_BACKWARD_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, StepScalars, step, 16) \
  READS(2, uint, segment_ids, 1) \
  READS(3, uint, segment_begins, 1) \
  READS(4, uint, sorted_rows, 1) \
  READS(5, vec4, dy, COLUMNS) \
  UPDATES(6, vec4, gradient, COLUMNS)
#define EMBEDDING_BACKWARD_PUSH(FIELD) \
  FIELD(count, segments_count) \
  FIELD(count, tokens_count) \
  FIELD(uint, dropout_id) \
  FIELD(uint, threshold) \
  FIELD(float, scale) \
  FIELD(float, multiplier)
KERNEL(embedding_backward, EmbeddingBackward, EMBEDDING_BACKWARD)

#endif
