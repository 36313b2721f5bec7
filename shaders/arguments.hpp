// The arguments of host functions, which compute kernels on the CPU, from the lists of op headers
// (lib/kernel.h).  KERNEL(layer_norm, LayerNorm, LAYER_NORM) defines, in namespace awend::host:
//
//   struct LayerNorm {
//     const float* x = nullptr;  // the memory of each operand; const if it is only read
//     …
//     std::size_t columns = 0;   // specialization constants
//     …
//     Count rows_count = {};     // push constants
//     float epsilon = 0;
//     std::size_t workgroups = 0;
//   };
//   void layer_norm(ThreadPool& pool, const LayerNorm& arguments);
//
// The op header describes the operands.  Rows follow each other, and numbers of columns of vec4
// operands are multiples of 4.  A host function ignores constants that only divide the work of a
// kernel, and operands that its constants exclude.
#pragma once

#include <cstddef>
#include <cstdint>

#include "shaders/lib/step.h"

namespace awend::host {

class ThreadPool;

/// A number of rows; it changes between calls of a host function with the same arguments.
struct Count {
  const std::uint32_t* words = nullptr;

  std::size_t rows() const { return words[0]; }
  /// The index of the first row in the whole update.
  std::uint32_t first() const { return words[1]; }
};

// The C++ types of the element types of operands, and of push constants.  Integers have the size of
// an index, so that products of them do not overflow.
using Element_vec4 = float;
using Element_vec2 = float;
using Element_float = float;
using Element_uint = std::uint32_t;
using Element_uvec2 = std::uint32_t;
using Element_StepScalars = StepScalars;
using Field_count = Count;
using Field_uint = std::size_t;
using Field_float = float;

}  // namespace awend::host

#define KERNEL_HOST_FUNCTION(kernel_name, Name, NAME) \
  namespace awend::host { \
  struct Name { \
    NAME##_OPERANDS(KERNEL_HOST_READS, KERNEL_HOST_WRITES, KERNEL_HOST_WRITES) \
    NAME##_CONSTANTS(KERNEL_HOST_CONSTANT) \
    NAME##_PUSH(KERNEL_HOST_FIELD) \
    std::size_t workgroups = 0; /* along x, with a count at its capacity */ \
  }; \
  void kernel_name(ThreadPool& pool, const Name& arguments); \
  }
#define KERNEL_HOST_READS(number, type, name, columns) const Element_##type* name = nullptr;
#define KERNEL_HOST_WRITES(number, type, name, columns) Element_##type* name = nullptr;
#define KERNEL_HOST_CONSTANT(number, NAME, name, value) std::size_t name = 0;
#define KERNEL_HOST_FIELD(type, name) Field_##type name = {};
