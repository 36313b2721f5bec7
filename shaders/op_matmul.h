// Kernels of op_matmul.comp: matrix products in the registers of a subgroup.
#ifndef AWEND_SHADERS_OP_MATMUL_H
#define AWEND_SHADERS_OP_MATMUL_H

#include "lib/kernel.h"
#include "lib/matmul.h"

// The names of the kernels are matmul_nn, matmul_nt and matmul_tn (the form), with _few for few
// rows and _16 for 16-bit operands; a launch names the one that it needs.
#define SUBGROUP_MATMUL_CONSTANTS(CONSTANT)
#define SUBGROUP_MATMUL_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, vec4, a, inner) \
  READS(2, vec4, b, ANY_COLUMNS) /* columns; in the form NT inner */ \
  WRITES(3, vec4, c, columns) \
  READS(4, vec4, added, columns) /* the bias; with MATMUL_ACCUMULATE c */
#define SUBGROUP_MATMUL_PUSH(FIELD) \
  FIELD(count, rows_count) /* of A */ \
  FIELD(uint, inner) /* columns of A; in the form TN also rows of C */ \
  FIELD(uint, columns) /* of C */ \
  FIELD(uint, flags) \
  FIELD(uint, first) /* form TN: the sum is over the rows first … end - 1 of A */ \
  FIELD(uint, end)
// No host function: a product on the host is a launch of its own (nn/matmul/host.hpp).
KERNEL_WITHOUT_HOST(matmul_nn, SubgroupMatmul, SUBGROUP_MATMUL)

#define SUBGROUP_MATMUL_16_CONSTANTS(CONSTANT) \
  CONSTANT(1, FP16, fp16, 0) /* 1: fp16, 0: bf16 */
#define SUBGROUP_MATMUL_16_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, half4, a, inner) \
  READS(2, half4, b, ANY_COLUMNS) /* columns; in the form NT inner */ \
  WRITES(3, vec4, c, columns) \
  READS(4, vec4, added, columns)
#define SUBGROUP_MATMUL_16_PUSH(FIELD) SUBGROUP_MATMUL_PUSH(FIELD)
// No host function: operands have 16 bits.
KERNEL_WITHOUT_HOST(matmul_nn_16, SubgroupMatmul16, SUBGROUP_MATMUL_16)

#endif
