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
//
// KERNEL also declares the host function (arguments.hpp), and Launch::host calls it.
#pragma once

#include "nn/launch.hpp"
#include "shaders/arguments.hpp"

#define KERNEL(kernel_name, Name, NAME) \
  KERNEL_OWN_TYPES(Name, NAME) \
  KERNEL_HOST_FUNCTION(kernel_name, Name, NAME) \
  KERNEL_LAUNCH(kernel_name, Name, NAME, KERNEL_HOST_FORM)

#define KERNEL_LIKE(kernel_name, Name, NAME, Other) \
  KERNEL_TYPES_OF(Name, Other) \
  KERNEL_HOST_FUNCTION(kernel_name, Name, NAME) \
  KERNEL_LAUNCH(kernel_name, Name, NAME, KERNEL_HOST_FORM)

#define KERNEL_WITHOUT_HOST(kernel_name, Name, NAME) \
  KERNEL_OWN_TYPES(Name, NAME) \
  KERNEL_LAUNCH(kernel_name, Name, NAME, KERNEL_NO_HOST_FORM)

#define KERNEL_LIKE_WITHOUT_HOST(kernel_name, Name, NAME, Other) \
  KERNEL_TYPES_OF(Name, Other) \
  KERNEL_LAUNCH(kernel_name, Name, NAME, KERNEL_NO_HOST_FORM)

#define KERNEL_OWN_TYPES(Name, NAME) \
  namespace awend::nn { \
  struct Name##Constants { \
    NAME##_CONSTANTS(KERNEL_CONSTANT_MEMBER) \
  }; \
  struct Name##Push { \
    NAME##_PUSH(KERNEL_FIELD_MEMBER) \
  }; \
  }

#define KERNEL_TYPES_OF(Name, Other) \
  namespace awend::nn { \
  using Name##Constants = Other##Constants; \
  using Name##Push = Other##Push; \
  }

#define KERNEL_LAUNCH(kernel_name, Name, NAME, HOST_FORM) \
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
              .y = y, \
              .host = HOST_FORM(kernel_name, Name, NAME)}; \
    } \
  }; \
  }

// Members.
#define KERNEL_CONSTANT_MEMBER(number, NAME, name, value) Required<std::uint32_t> name;
#define KERNEL_OPERAND_MEMBER(number, type, name, columns) Required<Tensor> name;
#define KERNEL_FIELD_MEMBER(type, name) Required<Push_##type> name;

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
#define KERNEL_FIELD_VARIABLE(type, name) [[maybe_unused]] const Push_##type name = push.name;

// The member `host` of Launch.
#define KERNEL_NO_HOST_FORM(kernel_name, Name, NAME) nullptr
#define KERNEL_HOST_FORM(kernel_name, Name, NAME) \
  [launch = *this](const HostMemory& memory) { \
    const host::Name arguments{ \
        NAME##_OPERANDS(KERNEL_ARGUMENT, KERNEL_ARGUMENT, KERNEL_ARGUMENT) \
        NAME##_CONSTANTS(KERNEL_CONSTANT_ARGUMENT) \
        NAME##_PUSH(KERNEL_FIELD_ARGUMENT) \
        launch.x.max_groups()}; \
    return HostStep([arguments](host::ThreadPool& pool) { host::kernel_name(pool, arguments); }); \
  }
#define KERNEL_ARGUMENT(number, type, name, columns) \
  reinterpret_cast<host::Element_##type*>(memory.memory(launch.operands.name)),
#define KERNEL_CONSTANT_ARGUMENT(number, NAME, name, value) launch.constants.name,
#define KERNEL_FIELD_ARGUMENT(type, name) KERNEL_ARGUMENT_##type(launch.push.name),
#define KERNEL_ARGUMENT_count(word) {memory.count(word)}
#define KERNEL_ARGUMENT_uint(value) value
#define KERNEL_ARGUMENT_float(value) value
