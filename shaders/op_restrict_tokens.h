// The kernel of op_restrict_tokens.comp: logits of tokens that a row may not have.
#ifndef AWEND_SHADERS_OP_RESTRICT_TOKENS_H
#define AWEND_SHADERS_OP_RESTRICT_TOKENS_H

#include "lib/kernel.h"

#define RESTRICT_TOKENS_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64)
#define RESTRICT_TOKENS_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, uint, allowed, (COLUMNS + 31) / 32) /* a bit for each token, the lowest first */ \
  UPDATES(2, vec4, logits, COLUMNS)
#define RESTRICT_TOKENS_PUSH(FIELD) \
  FIELD(count, rows_count) \
  FIELD(float, masked) /* the logit of other tokens */
KERNEL(restrict_tokens, RestrictTokens, RESTRICT_TOKENS)

#endif
