// One dispatch of a kernel: checks, push constants and descriptor sets.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "vulkan/kernel.hpp"
#include "vulkan/memory.hpp"
#include "vulkan/pace.hpp"

namespace awend::vulkan {

/// One dispatch of a kernel.  `bindings[i]` is bound to the i-th binding of the shader.
struct Dispatch {
  const Kernel& kernel;
  std::span<const Range> bindings;
  std::span<const std::byte> push_constants;
  std::array<std::uint32_t, 3> workgroups = {1, 1, 1};
  /// If given, three words in memory with the numbers of workgroups, read when the dispatch runs.
  std::optional<Range> indirect;
  /// Floating-point operations, if they take more time than the access to the bindings.
  double flops = 0;
};

/// The operations, and the bytes of all bindings.
Work work_of(const Dispatch& dispatch);

/// Throws Error with limit and kernel if a binding or a number of workgroups is larger than the
/// device allows.  Requires: bindings and push constants match the shader.
void check_against_shader(const Device& device, const Dispatch& dispatch);

/// The push constants of the dispatch, then, if the module accesses tensors by address, the address
/// of each binding, indexed by its number.
std::vector<std::byte> pushed_bytes(const Device& device, const Dispatch& dispatch);

/// Descriptor sets of many dispatches.
class DescriptorSets {
 public:
  explicit DescriptorSets(const Device& device) : device_(device) {}

  /// The descriptor set of a dispatch; valid as long as the object exists.
  VkDescriptorSet make(const Dispatch& dispatch);

 private:
  VkDescriptorSet allocate(VkDescriptorSetLayout layout);

  const Device& device_;
  std::vector<DeviceHandle<VkDescriptorPool>> pools_;
  std::uint32_t left_ = 0;  // free sets in the last pool
};

}  // namespace awend::vulkan
