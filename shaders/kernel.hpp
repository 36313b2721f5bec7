// C++ types for the kernels that op headers list (lib/kernel.h).  KERNEL(layer_norm, LayerNorm,
// LAYER_NORM) defines, in namespace awend::nn, LayerNormLaunch, which converts to nn::Launch:
//
//   program.launch(LayerNormLaunch{
//       .constants = {.columns = x.columns, .per_lane = per_lane},
//       .operands = {.x = x, .gain = gain, .bias = bias, .y = y, .moments = moments},
//       .push = {.rows_count = x.rows.word},
//       .x = Axis::rows(x.rows, ROWS_PER_GROUP)});
//
// A member of constants, operands or push that is missing, misspelled or in another order does not
// compile (tests/lint/operands.sh).  Program::launch() checks elements and numbers of columns.
#pragma once

#include "nn/launch.hpp"

#define KERNEL(kernel_name, Name, NAME) \
  namespace awend::nn { \
  struct Name##Constants { \
    NAME##_CONSTANTS(KERNEL_CONSTANT_MEMBER) \
  }; \
  struct Name##Push { \
    NAME##_PUSH(KERNEL_FIELD_MEMBER) \
  }; \
  } \
  KERNEL_LAUNCH(kernel_name, Name, NAME)

#define KERNEL_LIKE(kernel_name, Name, NAME, Other) \
  namespace awend::nn { \
  using Name##Constants = Other##Constants; \
  using Name##Push = Other##Push; \
  } \
  KERNEL_LAUNCH(kernel_name, Name, NAME)

#define KERNEL_LAUNCH(kernel_name, Name, NAME) \
  namespace awend::nn { \
  struct Name##Operands { \
    NAME##_OPERANDS(KERNEL_OPERAND_MEMBER, KERNEL_OPERAND_MEMBER, KERNEL_OPERAND_MEMBER) \
  }; \
  static_assert(counts_up_from_one({NAME##_CONSTANTS(KERNEL_CONSTANT_NUMBER)})); \
  static_assert(counts_up_from_one({NAME##_OPERANDS( \
      KERNEL_OPERAND_NUMBER, KERNEL_OPERAND_NUMBER, KERNEL_OPERAND_NUMBER)})); \
  struct Name##Launch { \
    std::string kernel = #kernel_name; \
    Name##Constants constants; \
    Name##Operands operands; \
    Name##Push push; \
    Axis x = Axis::of(1); \
    Axis y = Axis::of(1); \
    operator Launch() const { \
      NAME##_CONSTANTS(KERNEL_CONSTANT_VARIABLE) \
      NAME##_PUSH(KERNEL_FIELD_VARIABLE) \
      return {.kernel = kernel, \
              .constants = {NAME##_CONSTANTS(KERNEL_CONSTANT_VALUE)}, \
              .operands = {NAME##_OPERANDS(KERNEL_READS, KERNEL_WRITES, KERNEL_UPDATES)}, \
              .push_constants = bytes_of(push), \
              .x = x, \
              .y = y}; \
    } \
  }; \
  }

// Members.
#define KERNEL_CONSTANT_MEMBER(number, NAME, name, value) Required<std::uint32_t> name;
#define KERNEL_OPERAND_MEMBER(number, type, name, columns) Required<Tensor> name;
#define KERNEL_FIELD_MEMBER(type, name) Required<type> name;

// Elements of initializer lists.
#define KERNEL_CONSTANT_NUMBER(number, NAME, name, value) number,
#define KERNEL_OPERAND_NUMBER(number, type, name, columns) number,
#define KERNEL_CONSTANT_VALUE(number, NAME, name, value) NAME,
#define KERNEL_OPERAND(access, type, name, columns) \
  {#name, OperandAccess::access, OperandType::k_##type, columns, operands.name},
#define KERNEL_READS(number, type, name, columns) KERNEL_OPERAND(kRead, type, name, columns)
#define KERNEL_WRITES(number, type, name, columns) KERNEL_OPERAND(kWrite, type, name, columns)
#define KERNEL_UPDATES(number, type, name, columns) KERNEL_OPERAND(kUpdate, type, name, columns)

// Local variables for the expressions of columns.
#define KERNEL_CONSTANT_VARIABLE(number, NAME, name, value) \
  [[maybe_unused]] const std::uint32_t NAME = constants.name;
#define KERNEL_FIELD_VARIABLE(type, name) [[maybe_unused]] const type name = push.name;
