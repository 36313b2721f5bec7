// A kernel: one embedded compute shader with its specialization constants, ready to be dispatched.
//
// Specialization constant 0 is always the subgroup size, which is also the workgroup's size: one
// workgroup, one subgroup.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vulkan/device.hpp"
#include "vulkan/spirv.hpp"

namespace awend::vulkan {

class Kernel {
 public:
  /// `constants` are specialization constants 1, 2, …  Throws Error if there is no kernel `name`.
  Kernel(const Device& device, std::string_view name, std::span<const std::uint32_t> constants);

  const std::string& name() const { return name_; }
  const Reflection& reflection() const { return reflection_; }
  VkPipeline pipeline() const { return pipeline_.get(); }
  VkPipelineLayout layout() const { return layout_.get(); }
  VkDescriptorSetLayout set_layout() const { return set_layout_.get(); }

 private:
  std::string name_;
  Reflection reflection_;
  DeviceHandle<VkDescriptorSetLayout> set_layout_;
  DeviceHandle<VkPipelineLayout> layout_;
  DeviceHandle<VkPipeline> pipeline_;
};

/// The kernels of one device, each made once, when first asked for.
class KernelCache {
 public:
  explicit KernelCache(const Device& device) : device_(device) {}
  const Kernel& get(std::string_view name, std::span<const std::uint32_t> constants);

 private:
  using Key = std::pair<std::string, std::vector<std::uint32_t>>;
  const Device& device_;
  std::map<Key, Kernel> kernels_;
};

}  // namespace awend::vulkan
