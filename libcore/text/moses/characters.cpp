#include "text/moses/characters.hpp"

#include <unicode/uchar.h>

#include <algorithm>

namespace awend::text::moses {

bool is_beyond_ascii(char32_t character, unsigned classes) {
  const auto c = static_cast<UChar32>(character);
  const std::uint32_t category = U_GET_GC_MASK(c);
  return ((classes & kLetter) && u_isUAlphabetic(c)) ||
         ((classes & kDecimal) && (category & U_GC_ND_MASK)) ||
         ((classes & kSpace) && u_isUWhiteSpace(c)) ||
         ((classes & kNumber) && (category & U_GC_N_MASK)) ||
         ((classes & kLower) && u_isULowercase(c)) ||
         ((classes & kLowerLl) && (category & U_GC_LL_MASK)) ||
         ((classes & kCurrency) && (category & U_GC_SC_MASK)) ||
         ((classes & kOtherSymbol) && (category & U_GC_SO_MASK)) ||
         ((classes & kPunctuation) && (category & U_GC_P_MASK));
}

bool is_cjk(char32_t character) {
  struct Range {
    char32_t first, last;
  };
  constexpr Range kRanges[] = {{0x1100, 0x11FF}, {0x2E80, 0xA4CF},  {0xA840, 0xA87F},
                               {0xAC00, 0xD7AF}, {0xF900, 0xFAFF},  {0xFE30, 0xFE4F},
                               {0xFF65, 0xFFDC}, {0x20000, 0x2FFFF}};
  return std::ranges::any_of(kRanges, [&](const Range& range) {
    return character >= range.first && character <= range.last;
  });
}

}  // namespace awend::text::moses
