// The device of translate and encode, with the option --precision.
#pragma once

#include <string>

#include "base/error.hpp"
#include "base/options.hpp"
#include "decode/open_options.hpp"
#include "device_option.hpp"
#include "nn/element.hpp"

namespace awend::tools {

inline constexpr base::Option kPrecisionOption = {
    .name = "precision",
    .metavar = "TYPE",
    .default_value = "fp32",
    .help = "type of the operands of matrix products: fp32, bf16 or fp16",
    .choices = "fp32 bf16 fp16"};

inline nn::Element precision_of(const base::Options& options) {
  try {
    return nn::parse_element(options.text("precision"));
  } catch (const base::Error& error) {
    throw base::UsageError(base::concat("option --", error.what()));
  }
}

/// Throws UsageError for an invalid value.
inline decode::DeviceOptions device_options_of(const base::Options& options) {
  return {.name = options.text("device"),
          .threads = device_threads_of(options),
          .precision = precision_of(options)};
}

}  // namespace awend::tools
