// The devices of a machine and the required features that they have.
// Test: tests/cli/inspect_devices.sh.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "vulkan/device_type.hpp"

namespace awend::vulkan {

class Instance;

/// Properties of a physical device, and the required features that it has or lacks.
struct DeviceInfo {
  std::uint32_t index = 0;  ///< Position in the loader's list.
  std::string name;         ///< "llvmpipe (LLVM 15.0.6, 256 bits)"
  std::string driver;       ///< "llvmpipe Mesa 22.3.6 (LLVM 15.0.6)"
  std::string uuid;         ///< 32 hexadecimal digits
  DeviceType type = DeviceType::kOther;
  std::vector<std::string>
      missing;  ///< Names of required features that are missing; empty if usable.
  std::vector<std::string> present = {};  ///< Names of required features that are present.
};

/// "00ff1a" for {0, 255, 26}.
std::string hexadecimal(std::span<const std::uint8_t> bytes);

/// All devices of this machine, usable or not.  If there is none, throws Error with advice how to
/// install one.
std::vector<DeviceInfo> list_devices(const Instance& instance);

}  // namespace awend::vulkan
