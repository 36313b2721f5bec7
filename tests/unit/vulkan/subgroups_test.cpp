// The size of subgroups on devices of different vendors.
#include "vulkan/subgroups.hpp"

#include "tests/catch.hpp"

namespace awend::vulkan {

TEST_CASE("subgroups are as wide as the registers of their lanes allow", "[subgroups]") {
  const auto chosen = [](std::uint32_t usual, std::uint32_t min, std::uint32_t max) {
    return subgroup_size({usual, min, max, true});
  };
  CHECK(chosen(32, 8, 32) == 8);      // Intel to Xe-LPG
  CHECK(chosen(32, 16, 32) == 16);    // Intel Xe2
  CHECK(chosen(64, 32, 64) == 64);    // AMD RDNA
  CHECK(chosen(64, 64, 64) == 64);    // AMD GCN
  CHECK(chosen(32, 32, 32) == 32);    // NVIDIA
  CHECK(chosen(128, 64, 128) == 64);  // Adreno
  CHECK(chosen(8, 8, 8) == 8);        // lavapipe
  CHECK(chosen(4, 4, 4) == 4);        // SwiftShader
  CHECK(chosen(16, 1, 16) == 4);      // kernels need four lanes
}

TEST_CASE("without a choice subgroups have the reported size", "[subgroups]") {
  CHECK(subgroup_size({32, 8, 32, false}) == 32);
  CHECK(subgroup_size({32, 0, 0, true}) == 32);
}

}  // namespace awend::vulkan
