#include "text/sentences/characters.hpp"

#include <unicode/uchar.h>

#include <algorithm>

#include "base/utf8.hpp"
#include "text/icu_error.hpp"

namespace awend::text::sentences {

void LineCharacters::assign(std::string_view line) {
  require_icu_size(line);
  codes_.clear();
  offsets_.clear();
  for (std::size_t at = 0; at < line.size();) {
    const base::Utf8Step step = base::utf8_step(line, at);
    codes_.push_back(step.code_point);
    offsets_.push_back(static_cast<std::uint32_t>(at));
    at += step.size_bytes;
  }
  offsets_.push_back(static_cast<std::uint32_t>(line.size()));
}

std::size_t LineCharacters::index_at(std::size_t offset) const {
  return static_cast<std::size_t>(std::ranges::lower_bound(offsets_, offset) - offsets_.begin());
}

std::size_t LineCharacters::skip_white(std::size_t index) const {
  while (index < size() && is_white(codes_[index])) ++index;
  return index;
}

bool LineCharacters::is_white_at(std::size_t index) const {
  return is_white(codes_[index]);
}

bool is_white(char32_t code) {
  return u_isUWhiteSpace(static_cast<UChar32>(code)) || code == 0x200B;
}

}  // namespace awend::text::sentences
