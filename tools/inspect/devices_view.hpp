// The Vulkan devices of this machine: their properties, and the kernels that they would run; if
// there is none, the reason.  Test: tests/cli/inspect_devices.sh.
#pragma once

#include <string>

namespace awend::tools {

struct DevicesView {
  std::string text;
  std::string failure;  ///< The reason why no device is usable; empty if one is.
};

/// `wanted` names a device like the option device; empty: the best.
DevicesView devices_view(const std::string& wanted);

}  // namespace awend::tools
