// A kernel: one embedded compute shader with its specialization constants, ready to be dispatched.
//
// Specialization constant 0 is always the subgroup size.  It is also the size of a workgroup, which
// is one subgroup, except in kernels that use shared memory.  Names of kernels for matrix units end
// in their element, as matmul_matrix_bf16; they exist only on devices that support it.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shaders/embedded.hpp"
#include "vulkan/device.hpp"
#include "vulkan/spirv.hpp"

namespace awend::vulkan {

/// Identifies a kernel: its name, and specialization constants 1, 2, …
struct KernelKey {
  std::string name;
  std::vector<std::uint32_t> constants;
  auto operator<=>(const KernelKey&) const = default;
};

class Kernel {
 public:
  /// `constants` are specialization constants 1, 2, …; `cache` may be null.  Throws Error if there
  /// is no kernel `name`, or none on this device.
  Kernel(const Device& device, std::string_view name, std::span<const std::uint32_t> constants,
         VkPipelineCache cache = VK_NULL_HANDLE);

  const std::string& name() const { return name_; }
  /// The bindings and push constants of a launch, independent of how the module accesses memory.
  const Reflection& reflection() const { return reflection_; }
  /// The descriptors of the module; with addresses, fewer than bindings.
  const std::map<std::uint32_t, Binding>& descriptors() const { return descriptors_; }
  /// The size of the push constants of the module: those of the launch, then, if it accesses
  /// tensors by address, the addresses of all bindings.
  std::uint32_t pushed_bytes() const { return pushed_bytes_; }
  VkPipeline pipeline() const { return pipeline_.get(); }
  VkPipelineLayout layout() const { return layout_.get(); }
  VkDescriptorSetLayout set_layout() const { return set_layout_.get(); }

 private:
  std::string name_;
  Reflection reflection_;
  std::map<std::uint32_t, Binding> descriptors_;
  std::uint32_t pushed_bytes_ = 0;
  DeviceHandle<VkDescriptorSetLayout> set_layout_;
  DeviceHandle<VkPipelineLayout> layout_;
  DeviceHandle<VkPipeline> pipeline_;
};

}  // namespace awend::vulkan
