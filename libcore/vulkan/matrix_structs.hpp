// Declarations of VK_KHR_cooperative_matrix and VK_KHR_shader_bfloat16 that <vulkan/vulkan.h> of
// 1.3.239 (Debian 12) does not have, copied from the registry.
#pragma once

#include <cstdint>

#include "vulkan/functions.hpp"

#ifndef VK_KHR_cooperative_matrix
enum VkComponentTypeKHR : std::int32_t {
  VK_COMPONENT_TYPE_FLOAT16_KHR = 0,
  VK_COMPONENT_TYPE_FLOAT32_KHR = 1,
};
enum VkScopeKHR : std::int32_t { VK_SCOPE_SUBGROUP_KHR = 3 };
struct VkPhysicalDeviceCooperativeMatrixFeaturesKHR {
  VkStructureType sType;
  void* pNext;
  VkBool32 cooperativeMatrix;
  VkBool32 cooperativeMatrixRobustBufferAccess;
};
struct VkCooperativeMatrixPropertiesKHR {
  VkStructureType sType;
  void* pNext;
  std::uint32_t MSize;
  std::uint32_t NSize;
  std::uint32_t KSize;
  VkComponentTypeKHR AType;
  VkComponentTypeKHR BType;
  VkComponentTypeKHR CType;
  VkComponentTypeKHR ResultType;
  VkBool32 saturatingAccumulation;
  VkScopeKHR scope;
};
using PFN_vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR =
    VkResult(VKAPI_PTR*)(VkPhysicalDevice, std::uint32_t*, VkCooperativeMatrixPropertiesKHR*);
#endif

#ifndef VK_KHR_shader_bfloat16
struct VkPhysicalDeviceShaderBfloat16FeaturesKHR {
  VkStructureType sType;
  void* pNext;
  VkBool32 shaderBFloat16Type;
  VkBool32 shaderBFloat16DotProduct;
  VkBool32 shaderBFloat16CooperativeMatrix;
};
#endif

namespace awend::vulkan {

// The preprocessor cannot test for enumerators, so these are defined for all versions.
inline constexpr auto kCooperativeMatrixFeatures = static_cast<VkStructureType>(1000506000);
inline constexpr auto kCooperativeMatrixProperties = static_cast<VkStructureType>(1000506001);
inline constexpr auto kShaderBfloat16Features = static_cast<VkStructureType>(1000141000);
inline constexpr auto kComponentBfloat16 = static_cast<VkComponentTypeKHR>(1000141000);

}  // namespace awend::vulkan
