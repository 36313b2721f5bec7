// Warnings about memory that is not on the device.
#include "tests/catch.hpp"
#include "vulkan/memory.hpp"

namespace awend::vulkan {
namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

TEST_CASE("memory on the device and within its budget is not worth a warning", "[memory]") {
  MemoryUse use{.device = "Arc A770",
                .arena_bytes = 100 * kMebibyte,
                .outside_bytes = 0,
                .budget = std::nullopt};
  CHECK(caution_about(use).empty());
  use.budget = {.used_bytes = 100 * kMebibyte, .allowed_bytes = 100 * kMebibyte};
  CHECK(caution_about(use).empty());
}

TEST_CASE("memory outside of the device is worth a warning", "[memory]") {
  const MemoryUse use{.device = "Arc A770",
                      .arena_bytes = 100 * kMebibyte,
                      .outside_bytes = 2 * kMebibyte + 1,
                      .budget = Budget{.used_bytes = 2, .allowed_bytes = 1}};
  CHECK(caution_about(use) ==
        "Arc A770: 3 MiB of 100 do not fit in its memory; kernels read them from the memory of "
        "the machine, which is slow");
}

TEST_CASE("more memory than the driver allows is worth a warning", "[memory]") {
  const MemoryUse use{
      .device = "Arc A770",
      .arena_bytes = 100 * kMebibyte,
      .outside_bytes = 0,
      .budget = Budget{.used_bytes = 120 * kMebibyte, .allowed_bytes = 110 * kMebibyte}};
  CHECK(caution_about(use) ==
        "Arc A770: 120 MiB are in use, more than the 110 MiB that the driver allows this process; "
        "it may move memory out of the device, which is slow");
}

}  // namespace
}  // namespace awend::vulkan
