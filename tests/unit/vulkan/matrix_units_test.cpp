// The shapes of matrices that are used, of those that a driver supports.
#include "vulkan/matrix_units.hpp"

#include <cstdlib>

#include "tests/catch.hpp"

namespace awend::vulkan {
namespace {

/// A usable shape.
VkCooperativeMatrixPropertiesKHR usual() {
  VkCooperativeMatrixPropertiesKHR shape{};
  shape.MSize = 16;
  shape.NSize = 8;
  shape.KSize = 32;
  shape.AType = shape.BType = VK_COMPONENT_TYPE_FLOAT16_KHR;
  shape.CType = shape.ResultType = VK_COMPONENT_TYPE_FLOAT32_KHR;
  shape.scope = VK_SCOPE_SUBGROUP_KHR;
  return shape;
}

/// Whether it is usable after `change`.
template <class Change>
bool usable(const Change& change) {
  auto shape = usual();
  change(shape);
  return !usable_shapes({&shape, 1}).empty();
}

}  // namespace

TEST_CASE("sums of fp16 and bf16 products in fp32 are used") {
  std::vector shapes = {usual(), usual()};
  shapes[1].AType = shapes[1].BType = kComponentBfloat16;
  CHECK(usable_shapes(shapes) ==
        std::vector<MatrixShape>{
            {.element = MatrixElement::kFloat16, .rows = 16, .columns = 8, .depth = 32},
            {.element = MatrixElement::kBfloat16, .rows = 16, .columns = 8, .depth = 32}});
  CHECK(usable_shapes({}).empty());
}

TEST_CASE("other elements, sums, scopes and sizes are not used") {
  using Shape = VkCooperativeMatrixPropertiesKHR;
  const auto signed8 = static_cast<VkComponentTypeKHR>(3);
  const auto workgroup = static_cast<VkScopeKHR>(2);
  CHECK(usable([](Shape&) {}));
  CHECK_FALSE(usable([&](Shape& shape) { shape.AType = shape.BType = signed8; }));
  CHECK_FALSE(usable([](Shape& shape) { shape.BType = kComponentBfloat16; }));
  CHECK_FALSE(usable([](Shape& shape) { shape.CType = VK_COMPONENT_TYPE_FLOAT16_KHR; }));
  CHECK_FALSE(usable([](Shape& shape) { shape.ResultType = VK_COMPONENT_TYPE_FLOAT16_KHR; }));
  CHECK_FALSE(usable([](Shape& shape) { shape.saturatingAccumulation = VK_TRUE; }));
  CHECK_FALSE(usable([&](Shape& shape) { shape.scope = workgroup; }));
  CHECK_FALSE(usable([](Shape& shape) { shape.KSize = 4; }));
}

TEST_CASE("the environment takes precedence over the type of device") {
  const auto used = [](const char* word, DeviceType type) {
    ::setenv("AWEND_MATRIX", word, 1);
    const bool answer = use_matrix_units(type);
    ::unsetenv("AWEND_MATRIX");
    return answer;
  };
  for (const auto type : {DeviceType::kCpu, DeviceType::kDiscreteGpu}) {
    CHECK_FALSE(used("0", type));
    CHECK(used("1", type));
  }
  CHECK(used("", DeviceType::kDiscreteGpu));
  // A CPU emulates them, slower than the portable kernels.
  CHECK_FALSE(used("", DeviceType::kCpu));
}

}  // namespace awend::vulkan
