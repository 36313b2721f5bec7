#include "text/characters.hpp"

#include <unicode/uchar.h>

#include <cstdint>

namespace awend::text {
namespace {

bool has_category(char32_t character, std::uint32_t mask) {
  return (U_GET_GC_MASK(static_cast<UChar32>(character)) & mask) != 0;
}

}  // namespace

bool is_digit(char32_t character) { return has_category(character, U_GC_ND_MASK); }
bool is_separator(char32_t character) { return has_category(character, U_GC_Z_MASK); }
bool is_control(char32_t character) { return has_category(character, U_GC_CC_MASK); }

}  // namespace awend::text
