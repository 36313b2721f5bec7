// White space of markup within a line.
#pragma once

#include <string_view>

namespace awend::text {

inline constexpr std::string_view kMarkupWhite = " \t\r\f";

constexpr bool is_markup_white(char byte) {
  return kMarkupWhite.find(byte) != std::string_view::npos;
}

}  // namespace awend::text
