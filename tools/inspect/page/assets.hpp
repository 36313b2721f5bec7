// The files in this directory, embedded by CMake.
#pragma once

#include <string_view>

namespace awend::tools::page {

extern const std::string_view attention_html, attention_css, attention_js, curves_css;

}  // namespace awend::tools::page
