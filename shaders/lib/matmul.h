// What all kernels of matrix products have in common, for GLSL and C++.
#ifndef AWEND_SHADERS_LIB_MATMUL_H
#define AWEND_SHADERS_LIB_MATMUL_H

// Flags of a product: what to do with a sum before it is written.
#define MATMUL_BIAS 1        // add a row vector
#define MATMUL_RELU 2        // max(0, x)
#define MATMUL_ACCUMULATE 4  // add to the former value of the output

#define MATMUL_PUSH(FIELD) \
  FIELD(count, rows_count) /* of A */ \
  FIELD(uint, inner) /* columns of A; in the form TN also rows of C */ \
  FIELD(uint, columns) /* of C */ \
  FIELD(uint, flags)

#endif
