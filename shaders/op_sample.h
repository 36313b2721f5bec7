// The kernel of op_sample.comp: random tokens by their probability.
#ifndef AWEND_SHADERS_OP_SAMPLE_H
#define AWEND_SHADERS_OP_SAMPLE_H

#include "lib/kernel.h"
#include "lib/tokens.h"

// vec4 elements that a lane processes in one iteration of a loop.
#define SAMPLE_VECTORS 4

// Binary digits of a token id in the search for the cut; limits the vocabulary.
#define SAMPLE_ID_BITS 20

#define SAMPLE_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64)
#define SAMPLE_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, uint, forced_id, 1) \
  READS(2, uvec2, keys, 2) /* Philox keys */ \
  READS(3, vec4, logits, COLUMNS) \
  WRITES(4, uint, ids, 1) \
  WRITES(5, float, log_probabilities, 1)
#define SAMPLE_PUSH(FIELD) \
  FIELD(count, rows_count) \
  FIELD(uint, vocabulary) /* columns from this one on are padding */ \
  FIELD(uint, top_k) /* sample from that many most probable tokens */ \
  FIELD(float, top_p) /* and from the fewest of them with this share of their probability */ \
  FIELD(float, inverse_temperature)
KERNEL(sample, Sample, SAMPLE)

#endif
