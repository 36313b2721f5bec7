// Shapes of products on matrix units, without the declarations of Vulkan.
#pragma once

#include <cstdint>

namespace awend::vulkan {

enum class MatrixElement { kBfloat16, kFloat16 };

/// (rows, depth) · (depth, columns) of `element`, added to (rows, columns) of fp32 by one subgroup.
struct MatrixShape {
  MatrixElement element;
  std::uint32_t rows;
  std::uint32_t columns;
  std::uint32_t depth;

  bool operator==(const MatrixShape&) const = default;
};

}  // namespace awend::vulkan
