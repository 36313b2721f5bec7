// The kernel of op_mixture.comp: adds one model to a mixture of distributions.
#ifndef AWEND_SHADERS_OP_MIXTURE_H
#define AWEND_SHADERS_OP_MIXTURE_H

#include "lib/kernel.h"

#define MIXTURE_CONSTANTS(CONSTANT) \
  CONSTANT(1, COLUMNS, columns, 64) \
  CONSTANT(2, FIRST, first, 1) /* 1: the first model; write the mixture */ \
  CONSTANT(3, LINEAR, linear, 1) /* 1: Σ w p; 0: Σ w ln p */
#define MIXTURE_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, vec4, logits, COLUMNS) \
  UPDATES(2, vec4, mixture, COLUMNS)
#define MIXTURE_PUSH(FIELD) \
  FIELD(count, rows_count) \
  FIELD(uint, vocabulary) /* columns from this one on are padding */ \
  FIELD(float, weight) /* ln w if LINEAR, otherwise w */
KERNEL(mixture, Mixture, MIXTURE)

#endif
