// Operands of attention with biases by relative positions, for GLSL and C++; see
// relative_bias.glsl.
#ifndef AWEND_SHADERS_LIB_RELATIVE_BIAS_H
#define AWEND_SHADERS_LIB_RELATIVE_BIAS_H

#define RELATIVE_BIAS_OPERANDS(READS, first, second)                                      \
  READS(first, float, bias, 1)   /* of bucket b and head h: row b · HEADS + h */          \
  READS(second, uint, buckets, 1) /* of the positions of a key relative to its query, from \
                                     −MAX_DISTANCE on */

#endif
