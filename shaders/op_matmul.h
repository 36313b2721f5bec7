// The part of op.h that matrix products use.  It lies apart because the kernel for matrix units is
// also kept compiled, and must be compiled again when this changes (shaders/prebuilt).
#ifndef AWEND_SHADERS_OP_MATMUL_H
#define AWEND_SHADERS_OP_MATMUL_H

// Flags of the matmul epilogue.
#define MATMUL_BIAS 1        // add a row vector
#define MATMUL_RELU 2        // max(0, x)
#define MATMUL_ACCUMULATE 4  // add to what the output holds

struct MatmulPush {
  uint count;  // rows of A: those of the output, or for the TN form those that are summed over
  uint inner;  // columns of A; for the TN form rows of the output
  uint columns;  // of the output
  uint flags;
};

#endif
