// The choice of a device from lists in this file, without a driver.
#include "base/concat.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"
#include "vulkan/device_choice.hpp"

namespace awend::vulkan {
namespace {

DeviceInfo device(std::uint32_t index, std::string name, VkPhysicalDeviceType type) {
  return {.index = index,
          .name = std::move(name),
          .driver = "driver",
          .uuid = std::string(31, '0') + static_cast<char>('a' + index),
          .type = type,
          .missing = {}};
}

std::vector<DeviceInfo> machine() {
  return {device(0, "llvmpipe (LLVM 15.0.6, 256 bits)", VK_PHYSICAL_DEVICE_TYPE_CPU),
          device(1, "Iris Xe", VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU),
          device(2, "Arc A770", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU),
          device(3, "Arc B580", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU)};
}

std::string refusal(const std::vector<DeviceInfo>& devices, const std::string& requested) {
  return tests::message_of([&] { choose_device(devices, requested); });
}

TEST_CASE("without a request, the first device of the best type is chosen", "[device]") {
  auto devices = machine();
  CHECK(choose_device(devices, "").position == 2);
  CHECK(choose_device(devices, "").reason == "the first discrete GPU of 4 devices");
  devices.resize(2);
  CHECK(choose_device(devices, "").position == 1);
  devices.resize(1);
  CHECK(choose_device(devices, "").position == 0);
  CHECK(choose_device(devices, "").reason == "the only device");
}

TEST_CASE("processes get devices of the best type in turn", "[device]") {
  auto devices = machine();
  for (const auto& [turn, position] : {std::pair(0u, 2u), {1u, 3u}, {2u, 2u}, {5u, 3u}}) {
    CHECK(choose_device(devices, "", turn).position == position);
    CHECK(choose_device(devices, "iris", turn).position == 1);
  }
  CHECK(choose_device(devices, "", 1).reason == "discrete GPU 2 of 2");
  CHECK(choose_device(devices, "", 2).reason == "the first discrete GPU of 4 devices");
  devices[3].missing = {"Vulkan 1.3"};
  CHECK(choose_device(devices, "", 1).position == 2);
  devices.resize(1);
  CHECK(choose_device(devices, "", 7).position == 0);
}

TEST_CASE("a device that lacks a feature is not chosen", "[device]") {
  auto devices = machine();
  devices[2].missing = {"Vulkan 1.3"};
  CHECK(choose_device(devices, "").position == 3);
  devices[3].missing = {"subgroup shuffle"};
  CHECK(choose_device(devices, "").position == 1);
}

TEST_CASE("a request is an index, a part of the name, or a UUID", "[device]") {
  const auto devices = machine();
  CHECK(choose_device(devices, "0").position == 0);
  CHECK(choose_device(devices, "3").position == 3);
  CHECK(choose_device(devices, "LLVMPIPE").position == 0);
  CHECK(choose_device(devices, "arc b").position == 3);
  CHECK(choose_device(devices, "0000000000000000000000000000000b").position == 1);
  CHECK(choose_device(devices, "00000000-0000-0000-0000-00000000000C").position == 2);
  CHECK(choose_device(devices, "gpu-00000000-0000-0000-0000-00000000000C").position == 2);
  CHECK(choose_device(devices, "iris").reason == "named by 'iris'");
}

TEST_CASE("an index is not read as a part of a name", "[device]") {
  for (const auto* const name : {"NVIDIA H100 80GB HBM3", "NVIDIA A100-SXM4-40GB",
                                 "Tesla V100-SXM2-16GB", "AMD Radeon RX 7900 XTX (RADV NAVI31)"}) {
    std::vector<DeviceInfo> devices;
    for (std::uint32_t i = 0; i < 8; ++i)
      devices.push_back(device(i, name, VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU));
    for (std::uint32_t i = 0; i < 8; ++i)
      CHECK(choose_device(devices, base::concat(i)).position == i);
    CHECK(choose_device(devices, devices[5].uuid).position == 5);
    devices.resize(1);
    CHECK(refusal(devices, "1") == base::concat("no device is named '1'; there are: 0 ", name));
    CHECK(refusal(devices, "8") == base::concat("no device is named '8'; there are: 0 ", name));
  }
}

TEST_CASE("a request that fits several devices is refused with a list", "[device]") {
  auto devices = machine();
  CHECK(refusal(devices, "arc") ==
        "'arc' fits 2 devices: 2 Arc A770; 3 Arc B580; select one by its index or UUID");
  devices[3].uuid = devices[2].uuid;
  CHECK(refusal(devices, devices[2].uuid) ==
        base::concat("'", devices[2].uuid,
                     "' fits 2 devices: 2 Arc A770; 3 Arc B580; select one by its index or UUID"));
  // A name may be the beginning of another, and a number a word of it.
  devices[2].name = "Radeon RX 7900 XT";
  devices[3].name = "Radeon RX 7900 XTX";
  CHECK(choose_device(devices, "radeon rx 7900 xt").position == 2);
  CHECK(choose_device(devices, "xtx").position == 3);
  CHECK(refusal(devices, "7900") ==
        "'7900' fits 2 devices: 2 Radeon RX 7900 XT; 3 Radeon RX 7900 XTX; select one by its index "
        "or UUID");
  devices[2].name = "Radeon RX 6600";
  CHECK(choose_device(devices, "7900").position == 3);
}

TEST_CASE("a request that matches no device is refused with a list", "[device]") {
  auto devices = machine();
  devices.resize(2);
  CHECK(refusal(devices, "geforce") ==
        "no device is named 'geforce'; there are: 0 llvmpipe (LLVM 15.0.6, 256 bits); 1 Iris Xe");
  devices[1].missing = {"Vulkan 1.3", "subgroup shuffle"};
  CHECK(
      refusal(devices, "iris") ==
      "device 'iris' was found but cannot be used: 1 Iris Xe (lacks Vulkan 1.3, subgroup shuffle); "
      "update its driver, or use another device");
  devices[0].missing = {"synchronization2"};
  CHECK(
      refusal(devices, "") ==
      "no Vulkan device can be used: 0 llvmpipe (LLVM 15.0.6, 256 bits) (lacks synchronization2); "
      "1 Iris Xe (lacks Vulkan 1.3, subgroup shuffle); update its driver, or use another device "
      "(lavapipe of mesa-vulkan-drivers runs on any CPU)");
}

}  // namespace
}  // namespace awend::vulkan
