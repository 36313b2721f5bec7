#include "vulkan/kernel.hpp"

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "vulkan/bfloat16.hpp"
#include "vulkan/result.hpp"
#include "vulkan/workgroup.hpp"

namespace awend::vulkan {
namespace {

/// A kernel on this device: the module that declares the operands of a launch, and the module that
/// runs.
struct Code {
  std::vector<std::uint32_t> contract;
  std::vector<std::uint32_t> words;
};

/// The module of a kernel for matrix units; `name` ends in its element, "_fp16" or "_bf16".
std::optional<std::vector<std::uint32_t>> matrix_words(const Device& device,
                                                       std::string_view name) {
  for (const auto& kernel : shaders::matrix_kernels()) {
    if (!name.starts_with(kernel.name)) continue;
    const std::string_view suffix = name.substr(kernel.name.size());
    if (suffix != "_fp16" && suffix != "_bf16") continue;
    const bool bfloat16 = suffix == "_bf16";
    const auto element = bfloat16 ? MatrixElement::kBfloat16 : MatrixElement::kFloat16;
    const auto& shapes = device.limits().matrix_shapes;
    if (std::ranges::find(shapes, element, &MatrixShape::element) == shapes.end()) {
      base::fail("kernel ", name, ": ", device.info().name,
                 " has no matrix units for this element");
    }
    if (bfloat16 && kernel.bfloat16.empty()) return as_bfloat16(kernel.float16);
    const auto words = bfloat16 ? kernel.bfloat16 : kernel.float16;
    return std::vector(words.begin(), words.end());
  }
  return std::nullopt;
}

Code code_of(const Device& device, std::string_view name) {
  for (const auto& kernel : shaders::embedded_kernels()) {
    if (kernel.name != name) continue;
    const auto contract = kernel.words(shaders::Buffers::kStorage);
    const auto words = kernel.words(device.limits().buffers);
    return {{contract.begin(), contract.end()}, {words.begin(), words.end()}};
  }
  const auto words = matrix_words(device, name);
  if (!words) base::fail("no kernel is named '", name, "'");
  return {*words, *words};
}

}  // namespace

namespace {

DeviceHandle<VkDescriptorSetLayout> make_set_layout(const Device& device,
                                                    const std::map<std::uint32_t, Binding>& all) {
  std::vector<VkDescriptorSetLayoutBinding> bindings;
  for (const auto& [number, binding] : all) {
    bindings.push_back({.binding = number,
                        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                        .descriptorCount = 1,
                        .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
                        .pImmutableSamplers = nullptr});
  }
  VkDescriptorSetLayoutCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
  info.bindingCount = static_cast<std::uint32_t>(bindings.size());
  info.pBindings = bindings.data();
  VkDescriptorSetLayout layout = VK_NULL_HANDLE;
  require(vkCreateDescriptorSetLayout(device.get(), &info, nullptr, &layout),
          "vkCreateDescriptorSetLayout");
  return {device.get(), layout, vkDestroyDescriptorSetLayout};
}

DeviceHandle<VkPipelineLayout> make_layout(const Device& device, VkDescriptorSetLayout set,
                                           std::uint32_t push_bytes) {
  const VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT, 0, push_bytes};
  VkPipelineLayoutCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  info.setLayoutCount = 1;
  info.pSetLayouts = &set;
  info.pushConstantRangeCount = push_bytes == 0 ? 0 : 1;
  info.pPushConstantRanges = &push;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  require(vkCreatePipelineLayout(device.get(), &info, nullptr, &layout), "vkCreatePipelineLayout");
  return {device.get(), layout, vkDestroyPipelineLayout};
}

}  // namespace

Kernel::Kernel(const Device& device, std::string_view name,
               std::span<const std::uint32_t> constants, VkPipelineCache cache)
    : name_(name) {
  const auto [contract, words] = code_of(device, name);
  reflection_ = reflect(contract, name);
  const Reflection module_reflection = reflect(words, name);
  descriptors_ = module_reflection.bindings;
  pushed_bytes_ = module_reflection.push_constant_bytes;
  base::check(pushed_bytes_ <= device.limits().push_constant_bytes,
              "push constants fit the device");
  std::vector<std::uint32_t> values = {device.limits().subgroup_size};
  values.insert(values.end(), constants.begin(), constants.end());
  check_size(device.limits(),
             {workgroup_of(words, values, name),
              static_cast<std::uint32_t>(module_reflection.bindings.size())},
             name);
  set_layout_ = make_set_layout(device, descriptors_);
  layout_ = make_layout(device, set_layout_.get(), pushed_bytes_);

  VkShaderModuleCreateInfo module_info{};
  module_info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  module_info.codeSize = words.size() * sizeof(std::uint32_t);
  module_info.pCode = words.data();
  VkShaderModule module = VK_NULL_HANDLE;
  require(vkCreateShaderModule(device.get(), &module_info, nullptr, &module),
          "vkCreateShaderModule");
  const DeviceHandle<VkShaderModule> owner(device.get(), module, vkDestroyShaderModule);

  std::vector<VkSpecializationMapEntry> entries;
  for (std::uint32_t id = 0; id < values.size(); ++id) {
    base::check(reflection_.specialization_ids.contains(id),
                base::concat(name, " has specialization constant ", id));
    entries.push_back({id, id * 4, 4});
  }
  const VkSpecializationInfo specialization = {
      .mapEntryCount = static_cast<std::uint32_t>(entries.size()),
      .pMapEntries = entries.data(),
      .dataSize = values.size() * 4,
      .pData = values.data()};
  VkPipelineShaderStageRequiredSubgroupSizeCreateInfo subgroup{};
  subgroup.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO;
  subgroup.requiredSubgroupSize = device.limits().subgroup_size;
  VkComputePipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  info.layout = layout_.get();
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.pNext = device.limits().subgroup_size_fixed ? &subgroup : nullptr;
  info.stage.flags = VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = "main";
  info.stage.pSpecializationInfo = &specialization;
  VkPipeline pipeline = VK_NULL_HANDLE;
  require(vkCreateComputePipelines(device.get(), cache, 1, &info, nullptr, &pipeline),
          base::concat("vkCreateComputePipelines for ", name));
  pipeline_ = {device.get(), pipeline, vkDestroyPipeline};
}

}  // namespace awend::vulkan
