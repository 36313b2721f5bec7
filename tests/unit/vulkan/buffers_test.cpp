// The way to access memory that is chosen for a driver.
#include "vulkan/buffers.hpp"

#include <cstdlib>

#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace awend::vulkan {
namespace {

using shaders::Buffers;

BufferTraits lavapipe(std::string_view info) {
  return {.driver = VK_DRIVER_ID_MESA_LLVMPIPE,
          .driver_info = info,
          .has_addresses = true,
          .validated = false};
}

TEST_CASE("lavapipe uses addresses from Mesa 23.1 to 25.0", "[buffers]") {
  CHECK(fastest_buffers(lavapipe("Mesa 22.3.6 (LLVM 15.0.6)")) == Buffers::kStorage);
  CHECK(fastest_buffers(lavapipe("Mesa 23.0.4 (LLVM 15.0.6)")) == Buffers::kStorage);
  CHECK(fastest_buffers(lavapipe("Mesa 23.1.0 (LLVM 15.0.6)")) == Buffers::kAddress);
  CHECK(fastest_buffers(lavapipe("Mesa 25.0.7-2~bpo12+1 (LLVM 15.0.6)")) == Buffers::kAddress);
  CHECK(fastest_buffers(lavapipe("Mesa 26.1.6-1 (LLVM 21.1.8)")) == Buffers::kStorage);
  CHECK(fastest_buffers(lavapipe("unheard of")) == Buffers::kStorage);
}

TEST_CASE("storage buffers replace addresses that are missing or cannot be validated",
          "[buffers]") {
  auto traits = lavapipe("Mesa 25.0.7");
  traits.validated = true;
  CHECK(fastest_buffers(traits) == Buffers::kStorage);
  traits.validated = false;
  traits.has_addresses = false;
  CHECK(fastest_buffers(traits) == Buffers::kStorage);
  traits.driver = VK_DRIVER_ID_NVIDIA_PROPRIETARY;
  traits.driver_info = "580.95.05";
  CHECK(fastest_buffers(traits) == Buffers::kStorage);
}

TEST_CASE("AWEND_BUFFERS overrides the fastest way", "[buffers]") {
  const auto requested = [](const char* word, const BufferTraits& traits) {
    ::setenv("AWEND_BUFFERS", word, 1);
    struct Restore {
      ~Restore() { ::unsetenv("AWEND_BUFFERS"); }
    } restore;
    return requested_buffers(Buffers::kStorage, traits);
  };
  auto traits = lavapipe("Mesa 22.3.6");
  CHECK(requested("", traits) == Buffers::kStorage);
  CHECK(requested("storage", traits) == Buffers::kStorage);
  CHECK(requested("address", traits) == Buffers::kAddress);
  CHECK(tests::message_of([&] { requested("fast", traits); }) ==
        "AWEND_BUFFERS must be storage or address, got fast");
  traits.has_addresses = false;
  CHECK(tests::message_of([&] { requested("address", traits); }) ==
        "AWEND_BUFFERS is address, but the device has no addresses");
}

}  // namespace
}  // namespace awend::vulkan
