// The kernel of op_embedding.comp: token and position embeddings.
#ifndef AWEND_SHADERS_OP_EMBEDDING_H
#define AWEND_SHADERS_OP_EMBEDDING_H

#include "lib/kernel.h"
#include "lib/rows.h"
#include "lib/step.h"
#include "lib/tokens.h"

#define EMBEDDING_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64) \
  CONSTANT(2, DROPS, drops, 1) /* 0: no dropout */
#define EMBEDDING_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, StepScalars, step, 16) \
  READS(2, uint, ids, 1) \
  READS(3, uint, places, 1) \
  READS(4, vec4, table, COLUMNS) \
  READS(5, vec4, positions, COLUMNS) \
  WRITES(6, vec4, y, COLUMNS)
#define EMBEDDING_PUSH(FIELD) \
  FIELD(count, rows_count) \
  FIELD(count, tokens_count) \
  FIELD(uint, dropout_id) \
  FIELD(uint, threshold) \
  FIELD(float, scale) \
  FIELD(float, multiplier) /* √d_model */
KERNEL(embedding, Embedding, EMBEDDING)

#endif
