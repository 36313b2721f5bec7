// Numbers of the SPIR-V specification, section 3, that this module reads.
#pragma once

#include <cstdint>

namespace awend::vulkan::spirv {

inline constexpr std::uint32_t kMagic = 0x07230203;

enum Operation : std::uint32_t {
  kExecutionMode = 16,
  kTypeBool = 20,
  kTypeInt = 21,
  kTypeFloat = 22,
  kTypeVector = 23,
  kTypeArray = 28,
  kTypeStruct = 30,
  kTypePointer = 32,
  kConstantTrue = 41,
  kConstantFalse = 42,
  kConstant = 43,
  kConstantComposite = 44,
  kSpecConstantTrue = 48,
  kSpecConstantFalse = 49,
  kSpecConstant = 50,
  kSpecConstantComposite = 51,
  kSpecConstantOp = 52,
  kVariable = 59,
  kDecorate = 71,
  kMemberDecorate = 72,
  kControlBarrier = 224,
  kExecutionModeId = 331,
};

enum Decoration : std::uint32_t {
  kSpecId = 1,
  kBuiltIn = 11,
  kNonWritable = 24,
  kBinding = 33,
  kDescriptorSet = 34,
  kOffset = 35,
};

enum StorageClass : std::uint32_t {
  kWorkgroup = 4,
  kPushConstant = 9,
  kStorageBuffer = 12,
};

enum ExecutionMode : std::uint32_t { kLocalSize = 17, kLocalSizeId = 38 };
enum BuiltIn : std::uint32_t { kWorkgroupSize = 25 };

}  // namespace awend::vulkan::spirv
