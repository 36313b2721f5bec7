// The Vulkan devices of this machine: what they are, what they have and lack, and which kernels
// they would run; where there is none, why.  Test: tests/cli/inspect_devices.sh.
#pragma once

#include <string>

namespace awend::tools {

struct DevicesView {
  std::string text;
  std::string failure;  ///< Why nothing can be computed; empty if something can.
};

/// `wanted` names a device as --device does; empty: the best.
DevicesView devices_view(const std::string& wanted);

}  // namespace awend::tools
