// Facts about the devices of this machine, which has at least lavapipe.
#include "vulkan/survey.hpp"

#include "tests/catch.hpp"
#include "vulkan/device.hpp"

namespace awend::vulkan {
namespace {

TEST_CASE("a device has a version and memory", "[vulkan]") {
  const Instance instance;
  const auto infos = list_devices(instance);
  const auto devices = instance.physical_devices();
  REQUIRE(infos.size() == devices.size());
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const auto found = survey(devices[i]);
    CHECK(found.version.starts_with("1."));
    REQUIRE(!found.heaps.empty());
    CHECK(found.heaps[0].size_bytes > 0);
    CHECK(infos[i].present.size() + infos[i].missing.size() >= 1);
    if (infos[i].missing.empty()) CHECK(infos[i].present.front() == "Vulkan 1.3");
  }
}

TEST_CASE("the loader is a file", "[vulkan]") {
  const auto found = loader();
  CHECK(found.version.starts_with("1."));
  CHECK(found.path.find("libvulkan") != std::string::npos);
}

}  // namespace
}  // namespace awend::vulkan
