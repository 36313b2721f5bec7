// Devices: which there are, which one is taken and why, and what it must be able to do.
//
// The order of preference is discrete GPU, integrated GPU, virtual GPU, CPU.  A choice by text is
// an index ("0"), a UUID in hexadecimal, or a part of the name ("llvmpipe"), letter case aside.
// Test: tests/unit/vulkan/choose_device_test.cpp, on lists made by hand.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "vulkan/functions.hpp"
#include "vulkan/instance.hpp"

namespace awend::vulkan {

/// What a physical device says of itself, and what it lacks for awend.
struct DeviceInfo {
  std::uint32_t index = 0;  ///< Position in the loader's list.
  std::string name;         ///< "llvmpipe (LLVM 15.0.6, 256 bits)"
  std::string driver;       ///< "llvmpipe Mesa 22.3.6 (LLVM 15.0.6)"
  std::string uuid;         ///< 32 hexadecimal digits
  VkPhysicalDeviceType type = VK_PHYSICAL_DEVICE_TYPE_OTHER;
  std::vector<std::string>
      missing;  ///< Required features that are absent, by name; empty if usable.
  std::vector<std::string> present = {};  ///< Those that are there.
};

/// "00ff1a" of {0, 255, 26}.
std::string hexadecimal(std::span<const std::uint8_t> bytes);

/// "discrete GPU", "integrated GPU", "virtual GPU", "CPU" or "other device".
std::string type_name(VkPhysicalDeviceType type);

/// The position in `devices` to use for `wanted` (empty: the best), and the reason in words.
/// Processes that share the best kind have a `turn` each and take its devices one after the other.
/// Throws Error if none fits, naming what there is and what each lacks.
struct Choice {
  std::size_t position;
  std::string reason;
};
Choice choose_device(const std::vector<DeviceInfo>& devices, const std::string& wanted,
                     std::uint32_t turn = 0);

/// All devices of this machine, usable or not.  Throws Error with a sentence that says how to get
/// one if there is none.
std::vector<DeviceInfo> list_devices(const Instance& instance);

}  // namespace awend::vulkan
