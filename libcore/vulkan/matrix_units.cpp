#include "vulkan/matrix_units.hpp"

#include <cstdlib>
#include <string_view>

#include "vulkan/properties.hpp"
#include "vulkan/result.hpp"

namespace awend::vulkan {
namespace {

constexpr const char* kMatrixExtension = "VK_KHR_cooperative_matrix";
constexpr const char* kBfloat16Extension = "VK_KHR_shader_bfloat16";

/// The elements for which the device has the features.
struct Elements {
  bool float16 = false;
  bool bfloat16 = false;
};

Elements elements_of(VkPhysicalDevice device) {
  if (!has_extension(device, kMatrixExtension)) return {};
  VkPhysicalDeviceShaderBfloat16FeaturesKHR bfloat16s{};
  bfloat16s.sType = kShaderBfloat16Features;
  VkPhysicalDeviceCooperativeMatrixFeaturesKHR matrices{};
  matrices.sType = kCooperativeMatrixFeatures;
  if (has_extension(device, kBfloat16Extension)) matrices.pNext = &bfloat16s;
  VkPhysicalDeviceVulkan12Features features12{};
  features12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  features12.pNext = &matrices;
  VkPhysicalDeviceFeatures2 features{};
  features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  features.pNext = &features12;
  vkGetPhysicalDeviceFeatures2(device, &features);
  if (!matrices.cooperativeMatrix || !features12.vulkanMemoryModel) return {};
  return {.float16 = features12.shaderFloat16 == VK_TRUE,
          .bfloat16 = bfloat16s.shaderBFloat16Type && bfloat16s.shaderBFloat16CooperativeMatrix};
}

}  // namespace

std::vector<MatrixShape> usable_shapes(std::span<const VkCooperativeMatrixPropertiesKHR> listed) {
  std::vector<MatrixShape> shapes;
  for (const auto& shape : listed) {
    const bool float16 = shape.AType == VK_COMPONENT_TYPE_FLOAT16_KHR;
    if (!float16 && shape.AType != kComponentBfloat16) continue;
    if (shape.BType != shape.AType || shape.CType != VK_COMPONENT_TYPE_FLOAT32_KHR ||
        shape.ResultType != VK_COMPONENT_TYPE_FLOAT32_KHR || shape.scope != VK_SCOPE_SUBGROUP_KHR ||
        shape.saturatingAccumulation) {
      continue;
    }
    if (shape.MSize % 8 != 0 || shape.NSize % 8 != 0 || shape.KSize % 8 != 0) continue;
    shapes.push_back({float16 ? MatrixElement::kFloat16 : MatrixElement::kBfloat16, shape.MSize,
                      shape.NSize, shape.KSize});
  }
  return shapes;
}

bool use_matrix_units(DeviceType type) {
  const char* requested = std::getenv("AWEND_MATRIX");
  const std::string_view word = requested == nullptr ? "" : requested;
  if (word == "0" || word == "1") return word == "1";
  return type != DeviceType::kCpu;
}

std::vector<MatrixShape> matrix_shapes(VkInstance instance, VkPhysicalDevice device) {
  const auto list = reinterpret_cast<PFN_vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR>(
      vkGetInstanceProcAddr(instance, "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR"));
  const Elements elements = elements_of(device);
  if (list == nullptr || (!elements.float16 && !elements.bfloat16)) return {};
  constexpr const char* kCall = "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR";
  std::uint32_t count = 0;
  require(list(device, &count, nullptr), kCall);
  std::vector<VkCooperativeMatrixPropertiesKHR> listed(count);
  for (auto& shape : listed) shape.sType = kCooperativeMatrixProperties;
  require(list(device, &count, listed.data()), kCall);
  auto shapes = usable_shapes(listed);
  std::erase_if(shapes, [&](const MatrixShape& shape) {
    return shape.element == MatrixElement::kFloat16 ? !elements.float16 : !elements.bfloat16;
  });
  return shapes;
}

MatrixFeatures::MatrixFeatures(std::span<const MatrixShape> shapes) {
  for (const auto& shape : shapes) {
    (shape.element == MatrixElement::kFloat16 ? float16_ : bfloat16_) = true;
  }
}

void MatrixFeatures::add_to(VkDeviceCreateInfo& info, VkPhysicalDeviceVulkan12Features& features,
                            std::vector<const char*>& extensions) {
  if (!float16_ && !bfloat16_) return;
  features.vulkanMemoryModel = VK_TRUE;
  features.shaderFloat16 = float16_;
  matrices_.sType = kCooperativeMatrixFeatures;
  matrices_.pNext = const_cast<void*>(info.pNext);
  matrices_.cooperativeMatrix = VK_TRUE;
  info.pNext = &matrices_;
  extensions.push_back(kMatrixExtension);
  if (bfloat16_) {
    bfloat16s_.sType = kShaderBfloat16Features;
    bfloat16s_.pNext = const_cast<void*>(info.pNext);
    bfloat16s_.shaderBFloat16Type = VK_TRUE;
    bfloat16s_.shaderBFloat16CooperativeMatrix = VK_TRUE;
    info.pNext = &bfloat16s_;
    extensions.push_back(kBfloat16Extension);
  }
}

}  // namespace awend::vulkan
