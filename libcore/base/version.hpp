// The version that every tool reports.
#pragma once

#include <string_view>

namespace awend::base {

/// "0.1.0"
std::string_view version();

}  // namespace awend::base
