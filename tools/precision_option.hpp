// The device of translate and encode, with the option --precision.
#pragma once

#include <string>

#include "base/error.hpp"
#include "cli/options.hpp"
#include "decode/open_options.hpp"
#include "device_option.hpp"
#include "nn/element.hpp"

namespace awend::tools {

inline constexpr cli::Option kPrecisionOption = {
    .name = "precision",
    .metavar = "TYPE",
    .default_value = "fp32",
    .help = "type of the operands of matrix products: fp32, bf16 or fp16",
    .choices = base::texts_of<nn::kElementWords>};

inline nn::Element precision_of(const cli::Options& options) {
  return options.choice<nn::kElementWords>("precision");
}

/// Throws UsageError for an invalid value.
inline decode::DeviceOptions device_options_of(const cli::Options& options) {
  return {.name = options.text("device"),
          .threads = device_threads_of(options),
          .precision = precision_of(options)};
}

}  // namespace awend::tools
