// One launch of a kernel, and what of it goes into a command buffer.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "vulkan/kernel.hpp"
#include "vulkan/memory.hpp"

namespace awend::vulkan {

/// One launch of a kernel.  `bindings[i]` is seen at the i-th binding number of the shader.
struct Dispatch {
  const Kernel& kernel;
  std::span<const Range> bindings;
  std::span<const std::byte> push_constants;
  std::array<std::uint32_t, 3> workgroups = {1, 1, 1};
  /// If given, three words in memory that hold the numbers of workgroups when the work runs.
  std::optional<Range> indirect;
};

/// Throws Error naming limit and kernel if a binding or a number of workgroups is larger than the
/// device allows.  Requires: bindings and push constants are those that the shader declares.
void check_against_shader(const Device& device, const Dispatch& dispatch);

/// The launcher's push constants, then, if the module reaches tensors by address, the address of
/// each binding at the place of its number.
std::vector<std::byte> pushed_bytes(const Device& device, const Dispatch& dispatch);

/// Descriptor sets of many dispatches, and the views that they need.
class DescriptorSets {
 public:
  explicit DescriptorSets(const Device& device) : device_(device) {}

  /// The set that shows a dispatch its bindings; it lives as long as the object.
  VkDescriptorSet make(const Dispatch& dispatch);

 private:
  VkDescriptorSet allocate(VkDescriptorSetLayout layout);
  VkBufferView view_of(const Range& range);

  const Device& device_;
  std::vector<DeviceHandle<VkDescriptorPool>> pools_;
  std::vector<DeviceHandle<VkBufferView>> views_;
  std::uint32_t left_ = 0;  // sets of the last pool
};

}  // namespace awend::vulkan
