// What SentencePiece's text must be to become a part of a line.
#pragma once

#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/utf8.hpp"

namespace awend::text {

/// The library counts bytes in ints, and a character can become several.
inline void check_length(std::string_view line) {
  constexpr std::size_t kMaxLineBytes = std::size_t{1} << 30;
  if (line.size() > kMaxLineBytes) base::fail("a line is longer than 1 GiB");
}

/// Text that can be part of a line.
inline std::string without_breaks(std::string_view text) {
  std::string out;
  base::append_valid_utf8(out, text);
  for (std::size_t at = 0; (at = out.find('\n', at)) != out.npos;) out.replace(at, 1, "\uFFFD");
  return out;
}

}  // namespace awend::text
