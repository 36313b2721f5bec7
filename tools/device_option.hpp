// The option of the tools that compute on a device.
#pragma once

#include "base/options.hpp"

namespace awend::tools {

inline constexpr base::Option kDeviceOption = {
    .name = "device",
    .metavar = "NAME",
    .help = "index, UUID or part of a name; else $AWEND_DEVICE, else the best",
    .environment = "AWEND_DEVICE"};

}  // namespace awend::tools
