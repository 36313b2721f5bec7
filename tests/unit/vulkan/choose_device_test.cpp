// The choice of a device from lists in this file, without a driver.
#include "base/concat.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"
#include "vulkan/device_choice.hpp"

namespace awend::vulkan {
namespace {

DeviceInfo device(std::uint32_t index, std::string name, DeviceType type) {
  return {.index = index,
          .name = std::move(name),
          .driver = "driver",
          .uuid = std::string(31, '0') + static_cast<char>('a' + index),
          .type = type,
          .missing = {}};
}

std::vector<DeviceInfo> machine() {
  return {device(0, "llvmpipe (LLVM 15.0.6, 256 bits)", DeviceType::kCpu),
          device(1, "Iris Xe", DeviceType::kIntegratedGpu),
          device(2, "Arc A770", DeviceType::kDiscreteGpu),
          device(3, "Arc B580", DeviceType::kDiscreteGpu)};
}

/// Of a device that must exist.
Choice chosen(const std::vector<DeviceInfo>& devices, const std::string& requested,
              std::uint32_t turn = 0) {
  return choose_device(devices, requested, turn).value();
}

std::string refusal(const std::vector<DeviceInfo>& devices, const std::string& requested) {
  return tests::message_of([&] { choose_device(devices, requested); });
}

TEST_CASE("without a request, the first device of the best type is chosen", "[device]") {
  auto devices = machine();
  CHECK(chosen(devices, "").position == 2);
  CHECK(chosen(devices, "").reason == "the first discrete GPU of 4 devices");
  devices.resize(2);
  CHECK(chosen(devices, "").position == 1);
  devices.resize(1);
  CHECK_FALSE(choose_device(devices, ""));  // the processor by itself is faster
  devices = {device(0, "Iris Xe", DeviceType::kIntegratedGpu)};
  CHECK(chosen(devices, "").reason == "the only device");
}

TEST_CASE("processes get devices of the best type in turn", "[device]") {
  auto devices = machine();
  for (const auto& [turn, position] : {std::pair(0u, 2u), {1u, 3u}, {2u, 2u}, {5u, 3u}}) {
    CHECK(chosen(devices, "", turn).position == position);
    CHECK(chosen(devices, "iris", turn).position == 1);
  }
  CHECK(chosen(devices, "", 1).reason == "discrete GPU 2 of 2");
  CHECK(chosen(devices, "", 2).reason == "the first discrete GPU of 4 devices");
  devices[3].missing = {"Vulkan 1.3"};
  CHECK(chosen(devices, "", 1).position == 2);
  devices.resize(1);
  CHECK_FALSE(choose_device(devices, "", 7));
}

TEST_CASE("a GPU with two drivers is one device", "[device]") {
  auto devices = machine();
  devices.push_back(device(4, "Arc A770 (other driver)", DeviceType::kDiscreteGpu));
  devices[4].uuid = devices[2].uuid;
  for (const auto& [turn, position] : {std::pair(0u, 2u), {1u, 3u}, {2u, 2u}, {3u, 3u}})
    CHECK(chosen(devices, "", turn).position == position);
  CHECK(chosen(devices, devices[2].uuid).position == 2);
  devices[2].missing = {"Vulkan 1.3"};
  CHECK(chosen(devices, devices[2].uuid).position == 4);
  CHECK(chosen(devices, "", 1).position == 4);
  devices[4].missing = {"Vulkan 1.3"};
  CHECK(refusal(devices, devices[2].uuid).find("cannot be used") != std::string::npos);
}

TEST_CASE("a device that lacks a feature is not chosen", "[device]") {
  auto devices = machine();
  devices[2].missing = {"Vulkan 1.3"};
  CHECK(chosen(devices, "").position == 3);
  devices[3].missing = {"subgroup shuffle"};
  CHECK(chosen(devices, "").position == 1);
}

TEST_CASE("a request is an index, a part of the name, or a UUID", "[device]") {
  const auto devices = machine();
  CHECK(chosen(devices, "0").position == 0);
  CHECK(chosen(devices, "3").position == 3);
  CHECK(chosen(devices, "LLVMPIPE").position == 0);
  CHECK(chosen(devices, "arc b").position == 3);
  CHECK(chosen(devices, "0000000000000000000000000000000b").position == 1);
  CHECK(chosen(devices, "00000000-0000-0000-0000-00000000000C").position == 2);
  CHECK(chosen(devices, "gpu-00000000-0000-0000-0000-00000000000C").position == 2);
  CHECK(chosen(devices, "iris").reason == "named by 'iris'");
}

TEST_CASE("an index is not read as a part of a name", "[device]") {
  for (const auto* const name : {"NVIDIA H100 80GB HBM3", "NVIDIA A100-SXM4-40GB",
                                 "Tesla V100-SXM2-16GB", "AMD Radeon RX 7900 XTX (RADV NAVI31)"}) {
    std::vector<DeviceInfo> devices;
    for (std::uint32_t i = 0; i < 8; ++i)
      devices.push_back(device(i, name, DeviceType::kDiscreteGpu));
    for (std::uint32_t i = 0; i < 8; ++i) CHECK(chosen(devices, base::concat(i)).position == i);
    CHECK(chosen(devices, devices[5].uuid).position == 5);
    devices.resize(1);
    CHECK(refusal(devices, "1") ==
          base::concat("no device is named '1'; there are: cpu; 0 ", name));
    CHECK(refusal(devices, "8") ==
          base::concat("no device is named '8'; there are: cpu; 0 ", name));
  }
}

TEST_CASE("a request that fits several devices is refused with a list", "[device]") {
  auto devices = machine();
  CHECK(refusal(devices, "arc") ==
        "'arc' fits 2 devices: 2 Arc A770; 3 Arc B580; select one by its index or UUID");
  // A name may be the beginning of another, and a number a word of it.
  devices[2].name = "Radeon RX 7900 XT";
  devices[3].name = "Radeon RX 7900 XTX";
  CHECK(chosen(devices, "radeon rx 7900 xt").position == 2);
  CHECK(chosen(devices, "xtx").position == 3);
  CHECK(refusal(devices, "7900") ==
        "'7900' fits 2 devices: 2 Radeon RX 7900 XT; 3 Radeon RX 7900 XTX; select one by its index "
        "or UUID");
  devices[2].name = "Radeon RX 6600";
  CHECK(chosen(devices, "7900").position == 3);
}

TEST_CASE("a request that matches no device is refused with a list", "[device]") {
  auto devices = machine();
  devices.resize(2);
  CHECK(refusal(devices, "geforce") ==
        "no device is named 'geforce'; there are: cpu; 0 llvmpipe (LLVM 15.0.6, 256 bits); 1 Iris "
        "Xe");
  devices[1].missing = {"Vulkan 1.3", "subgroup shuffle"};
  CHECK(
      refusal(devices, "iris") ==
      "device 'iris' was found but cannot be used: 1 Iris Xe (lacks Vulkan 1.3, subgroup shuffle); "
      "update its driver, or use another device");
  devices[0].missing = {"synchronization2"};
  CHECK_FALSE(choose_device(devices, ""));
  CHECK(caution_about_unusable(devices) ==
        "computing on the CPU, because no GPU can be used: 1 Iris Xe (lacks Vulkan 1.3, subgroup "
        "shuffle); update its driver, or use another device");
  devices.resize(1);
  CHECK(caution_about_unusable(devices).empty());
}

}  // namespace
}  // namespace awend::vulkan
