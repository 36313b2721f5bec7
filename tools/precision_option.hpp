// The option --precision of train and translate.
#pragma once

#include <string>

#include "base/error.hpp"
#include "cli/options.hpp"
#include "nn/element.hpp"

namespace awend::tools {

inline constexpr cli::Option kPrecisionOption = {
    .name = "precision",
    .metavar = "TYPE",
    .default_value = "fp32",
    .help = "type of the operands of matrix products: fp32, bf16 or fp16",
    .choices = cli::names_of<nn::Element::kFloat32, nn::Element::kBfloat16, nn::Element::kFloat16>};

inline nn::Element precision_of(const cli::Options& options) {
  return nn::parse_element(options.text("precision"));
}

}  // namespace awend::tools
