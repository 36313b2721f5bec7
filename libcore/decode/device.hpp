// The device of a model that is opened.
#pragma once

#include <memory>

#include "decode/open_options.hpp"
#include "nn/engine.hpp"

namespace awend::decode {

/// Opens the device, and reports it.  Throws Error if there is none of this name.
std::unique_ptr<nn::Engine> open_device(const DeviceOptions& options, const base::Report& report);

/// The report of a caller, or one that is silent.
const base::Report& report_or_silent(const base::Report* report);

}  // namespace awend::decode
