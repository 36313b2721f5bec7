#include "tests/compilers/compiled_kernels.hpp"

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "vulkan/result.hpp"

namespace awend::tests {
namespace {

constexpr const char* kExtension = VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME;

/// The functions that capture_statistics() has replaced.
struct Replaced {
  PFN_vkCreateDevice create_device = nullptr;
  PFN_vkCreateComputePipelines create_pipelines = nullptr;
  VkPipelineCreateFlags captured = 0;
};
Replaced& replaced() {
  static Replaced functions;
  return functions;
}

bool has_statistics(VkPhysicalDevice device) {
  std::uint32_t count = 0;
  vkEnumerateDeviceExtensionProperties(device, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> extensions(count);
  vkEnumerateDeviceExtensionProperties(device, nullptr, &count, extensions.data());
  return std::ranges::any_of(extensions, [](const VkExtensionProperties& extension) {
    return std::string_view(extension.extensionName) == kExtension;
  });
}

VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical,
                                             const VkDeviceCreateInfo* given,
                                             const VkAllocationCallbacks* allocator,
                                             VkDevice* device) {
  if (!has_statistics(physical)) return VK_ERROR_EXTENSION_NOT_PRESENT;
  std::vector<const char*> names(given->ppEnabledExtensionNames,
                                 given->ppEnabledExtensionNames + given->enabledExtensionCount);
  names.push_back(kExtension);
  VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR feature{};
  feature.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR;
  feature.pNext = const_cast<void*>(given->pNext);
  feature.pipelineExecutableInfo = VK_TRUE;
  VkDeviceCreateInfo info = *given;
  info.pNext = &feature;
  info.enabledExtensionCount = static_cast<std::uint32_t>(names.size());
  info.ppEnabledExtensionNames = names.data();
  return replaced().create_device(physical, &info, allocator, device);
}

VKAPI_ATTR VkResult VKAPI_CALL create_pipelines(VkDevice device, VkPipelineCache /*cache*/,
                                                std::uint32_t count,
                                                const VkComputePipelineCreateInfo* given,
                                                const VkAllocationCallbacks* allocator,
                                                VkPipeline* pipelines) {
  std::vector<VkComputePipelineCreateInfo> infos(given, given + count);
  for (auto& info : infos) info.flags |= replaced().captured;
  return replaced().create_pipelines(device, VK_NULL_HANDLE, count, infos.data(), allocator,
                                     pipelines);
}

}  // namespace

void capture_statistics(Texts texts) {
  vulkan::load_functions();
  base::check(replaced().create_device == nullptr, "functions are replaced once");
  replaced() = {vkCreateDevice, vkCreateComputePipelines,
                VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR};
  if (texts == Texts::kYes)
    replaced().captured |= VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
  vkCreateDevice = create_device;
  vkCreateComputePipelines = create_pipelines;
}

namespace {

/// The names of a number in RADV, ANV, NVK and Turnip.
struct Names {
  std::uint64_t Summary::*number;
  std::array<std::string_view, 4> names;
};
constexpr Names kNames[] = {
    {&Summary::registers, {"VGPRs", "Max live registers", "Number of GPRs", "Registers used"}},
    {&Summary::spills, {"Spilled VGPRs", "Spill Count", "Spills to memory", "STP Count"}},
    {&Summary::spills, {"Spilled SGPRs", "Fill Count", "Fills from memory", "LDP Count"}},
    {&Summary::scratch_bytes, {"Scratch size", "Scratch Memory Size", "SLM size", ""}},
    {&Summary::shared_bytes, {"LDS size", "Workgroup Memory Size", "Shared size", ""}},
    {&Summary::occupancy, {"Subgroups per SIMD", "", "Max warps/SM", "Max Waves Per Core"}},
    {&Summary::instructions,
     {"Instructions", "Instruction Count", "Instruction count", "Instruction Count"}},
};

template <class Function>
Function function_of(const vulkan::Device& device, const char* name) {
  const auto function =
      reinterpret_cast<Function>(vkGetInstanceProcAddr(device.instance().get(), name));
  if (function == nullptr) base::fail(device.info().name, ": no function ", name);
  return function;
}

std::uint64_t number_of(const VkPipelineExecutableStatisticKHR& statistic) {
  switch (statistic.format) {
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_BOOL32_KHR:
      return statistic.value.b32;
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_FLOAT64_KHR:
      return static_cast<std::uint64_t>(statistic.value.f64);
    default:
      return statistic.value.u64;
  }
}

std::vector<Statistic> read_statistics(const vulkan::Device& device,
                                       const VkPipelineExecutableInfoKHR& executable) {
  const auto read = function_of<PFN_vkGetPipelineExecutableStatisticsKHR>(
      device, "vkGetPipelineExecutableStatisticsKHR");
  std::uint32_t count = 0;
  vulkan::require(read(device.get(), &executable, &count, nullptr), "statistics");
  std::vector<VkPipelineExecutableStatisticKHR> found(count);
  for (auto& one : found) one.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR;
  vulkan::require(read(device.get(), &executable, &count, found.data()), "statistics");
  std::vector<Statistic> statistics;
  for (const auto& one : found) statistics.push_back({one.name, number_of(one)});
  return statistics;
}

std::map<std::string, std::string> read_texts(const vulkan::Device& device,
                                              const VkPipelineExecutableInfoKHR& executable) {
  const auto read = function_of<PFN_vkGetPipelineExecutableInternalRepresentationsKHR>(
      device, "vkGetPipelineExecutableInternalRepresentationsKHR");
  std::uint32_t count = 0;
  vulkan::require(read(device.get(), &executable, &count, nullptr), "representations");
  std::vector<VkPipelineExecutableInternalRepresentationKHR> found(count);
  for (auto& one : found)
    one.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR;
  vulkan::require(read(device.get(), &executable, &count, found.data()), "representations");
  std::vector<std::string> texts;
  for (auto& one : found) texts.emplace_back(one.dataSize, '\0');
  for (std::uint32_t i = 0; i < count; ++i) found[i].pData = texts[i].data();
  vulkan::require(read(device.get(), &executable, &count, found.data()), "representations");
  std::map<std::string, std::string> named;
  for (std::uint32_t i = 0; i < count; ++i) named[found[i].name] = texts[i].c_str();
  return named;
}

}  // namespace

Summary summarize(std::span<const Statistic> statistics) {
  Summary summary;
  for (const auto& [number, names] : kNames) {
    for (const auto& statistic : statistics) {
      if (std::ranges::find(names, statistic.name) != names.end())
        summary.*number += statistic.value;
    }
  }
  return summary;
}

CompiledKernel read_compiled(const vulkan::Device& device, const vulkan::Kernel& kernel) {
  const auto list = function_of<PFN_vkGetPipelineExecutablePropertiesKHR>(
      device, "vkGetPipelineExecutablePropertiesKHR");
  VkPipelineInfoKHR pipeline{};
  pipeline.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR;
  pipeline.pipeline = kernel.pipeline();
  std::uint32_t count = 0;
  vulkan::require(list(device.get(), &pipeline, &count, nullptr), "executables");
  std::vector<VkPipelineExecutablePropertiesKHR> executables(count);
  for (auto& one : executables) one.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR;
  vulkan::require(list(device.get(), &pipeline, &count, executables.data()), "executables");
  if (count == 0) base::fail(device.info().name, " reports no statistics of ", kernel.name());
  // A compute pipeline has one executable.
  VkPipelineExecutableInfoKHR executable{};
  executable.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR;
  executable.pipeline = kernel.pipeline();
  CompiledKernel compiled{
      executables.front().subgroupSize, read_statistics(device, executable), {}};
  // RADV crashes if they were not captured.
  if ((replaced().captured & VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR) != 0)
    compiled.texts = read_texts(device, executable);
  return compiled;
}

}  // namespace awend::tests
