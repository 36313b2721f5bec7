// Kernels of op_matmul_shared.comp: matrix products with tiles in shared memory.
#ifndef AWEND_SHADERS_OP_MATMUL_SHARED_H
#define AWEND_SHADERS_OP_MATMUL_SHARED_H

#include "lib/kernel.h"
#include "lib/matmul.h"

// The names of the kernels are matmul_nn_shared, matmul_nt_shared and matmul_tn_shared (the form),
// with _16 for 16-bit operands; a launch names the one that it needs.
#define SHARED_MATMUL_CONSTANTS(CONSTANT) \
  CONSTANT(1, THREADS, threads, 256) \
  CONSTANT(2, BM, rows, 64) /* of a tile */ \
  CONSTANT(3, BN, columns, 64) \
  CONSTANT(4, BK, depth, 16) \
  CONSTANT(5, ROWS_PER_THREAD, rows_per_thread, 4) \
  CONSTANT(6, COLUMNS_PER_THREAD, columns_per_thread, 4)
#define SHARED_MATMUL_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, vec4, a, inner) \
  READS(2, vec4, b, ANY_COLUMNS) /* columns; in the form NT inner */ \
  UPDATES(3, vec4, c, columns) \
  READS(4, vec4, bias, columns) /* without MATMUL_BIAS c */
#define SHARED_MATMUL_PUSH(FIELD) MATMUL_PUSH(FIELD)
// No host function: a product on the host is a launch of its own (nn/matmul/host.hpp).
KERNEL_WITHOUT_HOST(matmul_nn_shared, SharedMatmul, SHARED_MATMUL)

#define SHARED_MATMUL_16_CONSTANTS(CONSTANT) \
  SHARED_MATMUL_CONSTANTS(CONSTANT) \
  CONSTANT(7, FP16, fp16, 0) /* 1: fp16, 0: bf16 */
#define SHARED_MATMUL_16_OPERANDS(READS, WRITES, UPDATES) \
  READS(1, half4, a, inner) \
  READS(2, half4, b, ANY_COLUMNS) /* columns; in the form NT inner */ \
  UPDATES(3, vec4, c, columns) \
  READS(4, vec4, bias, columns)
#define SHARED_MATMUL_16_PUSH(FIELD) MATMUL_PUSH(FIELD)
// No host function: operands have 16 bits.
KERNEL_WITHOUT_HOST(matmul_nn_shared_16, SharedMatmul16, SHARED_MATMUL_16)

#endif
