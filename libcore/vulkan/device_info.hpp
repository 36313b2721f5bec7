// The devices of a machine, their required features, and the choice of one.
//
// The order of preference is discrete GPU, integrated GPU, virtual GPU, CPU.  A device may be
// requested by index ("0"), UUID in hexadecimal, or a part of its name ("llvmpipe"), ignoring case.
// Test: tests/unit/vulkan/choose_device_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "vulkan/functions.hpp"
#include "vulkan/instance.hpp"

namespace awend::vulkan {

/// Properties of a physical device, and the required features that it has or lacks.
struct DeviceInfo {
  std::uint32_t index = 0;  ///< Position in the loader's list.
  std::string name;         ///< "llvmpipe (LLVM 15.0.6, 256 bits)"
  std::string driver;       ///< "llvmpipe Mesa 22.3.6 (LLVM 15.0.6)"
  std::string uuid;         ///< 32 hexadecimal digits
  VkPhysicalDeviceType type = VK_PHYSICAL_DEVICE_TYPE_OTHER;
  std::vector<std::string>
      missing;  ///< Names of required features that are missing; empty if usable.
  std::vector<std::string> present = {};  ///< Names of required features that are present.
};

/// "00ff1a" for {0, 255, 26}.
std::string hexadecimal(std::span<const std::uint8_t> bytes);

/// "discrete GPU", "integrated GPU", "virtual GPU", "CPU" or "other device".
std::string type_name(VkPhysicalDeviceType type);

/// The position of a device in a list, and the reason for its choice, for messages.
struct Choice {
  std::size_t position;
  std::string reason;
};
/// Chooses the `requested` device (empty: the best type).  If there are several of the best type,
/// processes with different `turn`s get different ones.  Throws Error if there is none, with a list
/// of the devices and what each lacks.
Choice choose_device(const std::vector<DeviceInfo>& devices, const std::string& requested,
                     std::uint32_t turn = 0);

/// All devices of this machine, usable or not.  If there is none, throws Error with advice how to
/// install one.
std::vector<DeviceInfo> list_devices(const Instance& instance);

}  // namespace awend::vulkan
