// Named operands and constants.  A header op_NAME.h lists, for each kernel of op_NAME.comp:
//
//   #define LAYER_NORM_CONSTANTS(CONSTANT)                specialization constants
//     CONSTANT(1, COLUMNS, columns, 64)                   id, name in GLSL, name in C++, default
//   #define LAYER_NORM_OPERANDS(READS, WRITES, UPDATES)   tensors
//     READS(1, vec4, x, COLUMNS)                          binding, element type, name, columns
//     WRITES(2, vec4, y, COLUMNS)                         READS: the kernel only reads it, WRITES:
//     UPDATES(3, vec4, z, ANY_COLUMNS)                    it only writes it, UPDATES: both
//   #define LAYER_NORM_PUSH(FIELD)                        push constants
//     FIELD(count, rows_count)                            type (count, uint or float), name
//   KERNEL(layer_norm, LayerNorm, LAYER_NORM)             name of the kernel, prefix of its C++
//                                                         types, prefix of these lists
//   KERNEL_LIKE(name, Name, NAME, Other)                  the same, with the C++ types of constants
//                                                         and push constants of the kernel Other
//
// A program is linked only if libcore/host defines the function of each of these kernels that
// computes it on the CPU, here host::layer_norm().  KERNEL_WITHOUT_HOST and
// KERNEL_LIKE_WITHOUT_HOST declare kernels without such a function; a comment before them gives
// the reason (tests/lint/host_functions.sh).
//
// Ids and bindings count up from 1: constant 0 is the subgroup size, binding 0 the counts.
// Element types: vec4, vec2, float (fp32); uint, uvec2; half4, half8 (4 or 8 numbers of 16 bits);
// StepScalars.  The number of columns is an expression of specialization and push constants.
//
// A push constant of the type `count` is the index of a word in the buffer of counts, not a count
// itself.  The next word of that buffer is the index of the first row in the whole update, which
// dropout uses to generate the same mask however the update is split.
//
// In GLSL, DECLARE(LAYER_NORM) declares all this (lib/buffers.glsl).  In C++, the header defines
// host::LayerNorm, the arguments of the host function, which it declares (shaders/arguments.hpp),
// and, except in the module host, LayerNormLaunch and the types of its members
// (shaders/kernel.hpp).
#ifndef AWEND_SHADERS_LIB_KERNEL_H
#define AWEND_SHADERS_LIB_KERNEL_H

#if defined(__cplusplus) && defined(AWEND_HOST_FUNCTIONS)
#include "shaders/arguments.hpp"

#define KERNEL(kernel, Name, NAME) KERNEL_HOST_FUNCTION(kernel, Name, NAME)
#define KERNEL_LIKE(kernel, Name, NAME, Other) KERNEL_HOST_FUNCTION(kernel, Name, NAME)
#define KERNEL_WITHOUT_HOST(kernel, Name, NAME)
#define KERNEL_LIKE_WITHOUT_HOST(kernel, Name, NAME, Other)

#elif defined(__cplusplus)
#include "shaders/kernel.hpp"
#else

#define KERNEL(kernel, Name, NAME)
#define KERNEL_LIKE(kernel, Name, NAME, Other)
#define KERNEL_WITHOUT_HOST(kernel, Name, NAME)
#define KERNEL_LIKE_WITHOUT_HOST(kernel, Name, NAME, Other)

#define DECLARE(NAME) DECLARE_CONSTANTS(NAME) DECLARE_OPERANDS(NAME)
#define DECLARE_CONSTANTS(NAME) NAME##_CONSTANTS(DECLARE_CONSTANT)
#define DECLARE_OPERANDS(NAME) \
  struct PushConstants { NAME##_PUSH(DECLARE_FIELD) }; \
  layout(push_constant) uniform Push { PushConstants pc; ADDRESSES(NAME) }; \
  NAME##_OPERANDS(READS, WRITES, UPDATES)

#define DECLARE_CONSTANT(number, NAME, name, value) \
  layout(constant_id = number) const uint NAME = value;
#define DECLARE_FIELD(type, name) FIELD_##type name;
#define FIELD_count uint
#define FIELD_uint uint
#define FIELD_float float
#define PLUS_ONE(number, type, name, columns) + 1

#endif
#endif
