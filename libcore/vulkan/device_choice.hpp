// The choice of a device from those of a machine.
//
// Without a request, the order of preference is discrete GPU, integrated GPU, virtual GPU; a Vulkan
// device of type CPU must be requested, because the processor computes faster by itself.  A request
// is an index ("0"), a UUID in hexadecimal, a name, or a part of a name ("llvmpipe"),
// ignoring case; the first of these readings that fits any device holds.  A request that fits
// several devices is an error: equal cards differ only in index and UUID.  A GPU with two drivers
// is listed twice, with one UUID, but is one device: the first of them that can be used.
// Test: tests/unit/vulkan/choose_device_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "vulkan/device_info.hpp"

namespace awend::vulkan {

/// The position of a device in a list, and the reason for its choice, for messages.
struct Choice {
  std::size_t position;
  std::string reason;
};

/// Chooses the `requested` device, or if it is empty, a usable GPU of the best type, if there is
/// one.  If there are several of the best type, processes with different `turn`s get different
/// ones. Throws Error if no device or more than one fits a request, with a list of them and what
/// each lacks.
std::optional<Choice> choose_device(const std::vector<DeviceInfo>& devices,
                                    const std::string& requested, std::uint32_t turn = 0);

/// A warning that names the GPUs that lack a feature, for a program that computes on the CPU;
/// empty if there are none.
std::string caution_about_unusable(std::vector<DeviceInfo> devices);

}  // namespace awend::vulkan
