// Push constants of all kernels, read by GLSL and by C++: 32-bit scalars only, so that both lay them out alike.
//
// A field that ends in _count names a word of the counts buffer, not a number of rows.
#ifndef AWEND_SHADERS_OP_H
#define AWEND_SHADERS_OP_H

// Flags of the matmul epilogue, specialization constant 3.
#define MATMUL_BIAS 1        // add a row vector
#define MATMUL_RELU 2        // max(0, x)
#define MATMUL_ACCUMULATE 4  // add to what the output holds

// Rows of the output tile of one subgroup, and how many vec4 columns each lane owns.
#define MATMUL_TILE_ROWS 24
#define MATMUL_TILE_VECTORS 2

struct MatmulPush {
  uint count;  // rows of A: those of the output, or for the TN form those that are summed over
};

#endif
