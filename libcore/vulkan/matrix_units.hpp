// Matrix units: products of small matrices of 16-bit elements, summed in fp32
// (VK_KHR_cooperative_matrix; bf16 by VK_KHR_shader_bfloat16).
//
// AWEND_MATRIX=0 in the environment disables them; AWEND_MATRIX=1 enables emulation on a CPU, which
// is slow.
// Test: tests/unit/vulkan/matrix_units_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vulkan/device_type.hpp"
#include "vulkan/matrix_shape.hpp"
#include "vulkan/matrix_structs.hpp"

namespace awend::vulkan {

/// The shapes in the list of a driver that the kernels support: fp32 sums without saturation, one
/// subgroup, sizes that are multiples of 8.
std::vector<MatrixShape> usable_shapes(std::span<const VkCooperativeMatrixPropertiesKHR> listed);

/// Whether to use matrix units: by AWEND_MATRIX, or if not set, on all devices except CPUs.
bool use_matrix_units(DeviceType type);

/// The usable shapes of a device, if any.
std::vector<MatrixShape> matrix_shapes(VkInstance instance, VkPhysicalDevice device);

/// Adds the features for `shapes` to `info`, and the names of their extensions to a list.  Must
/// outlive the creation of the device.
class MatrixFeatures {
 public:
  explicit MatrixFeatures(std::span<const MatrixShape> shapes);
  MatrixFeatures(const MatrixFeatures&) = delete;
  MatrixFeatures& operator=(const MatrixFeatures&) = delete;

  void add_to(VkDeviceCreateInfo& info, VkPhysicalDeviceVulkan12Features& features,
              std::vector<const char*>& extensions);

 private:
  bool float16_ = false;
  bool bfloat16_ = false;
  VkPhysicalDeviceCooperativeMatrixFeaturesKHR matrices_{};
  VkPhysicalDeviceShaderBfloat16FeaturesKHR bfloat16s_{};
};

}  // namespace awend::vulkan
