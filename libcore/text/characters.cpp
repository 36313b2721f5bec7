#include "text/characters.hpp"

#include <unicode/bytestream.h>
#include <unicode/casemap.h>
#include <unicode/uchar.h>

#include <limits>

#include "base/error.hpp"

namespace awend::text {
namespace {

bool has_category(char32_t character, std::uint32_t mask) {
  return (U_GET_GC_MASK(static_cast<UChar32>(character)) & mask) != 0;
}

}  // namespace

bool is_letter(char32_t character) {
  return has_category(character, U_GC_L_MASK);
}
bool is_number(char32_t character) {
  return has_category(character, U_GC_N_MASK);
}
bool is_digit(char32_t character) {
  return has_category(character, U_GC_ND_MASK);
}
bool is_punctuation(char32_t character) {
  return has_category(character, U_GC_P_MASK);
}
bool is_symbol(char32_t character) {
  return has_category(character, U_GC_S_MASK);
}
bool is_separator(char32_t character) {
  return has_category(character, U_GC_Z_MASK);
}
bool is_control(char32_t character) {
  return has_category(character, U_GC_CC_MASK);
}

std::string lower(std::string_view text) {
  if (text.size() > std::numeric_limits<std::int32_t>::max())
    base::fail("a line is longer than 2 GiB");
  std::string out;
  icu::StringByteSink<std::string> sink(&out);
  UErrorCode status = U_ZERO_ERROR;
  icu::CaseMap::utf8ToLower("", 0, {text.data(), static_cast<std::int32_t>(text.size())}, sink,
                            nullptr, status);
  if (U_FAILURE(status)) base::fail("ICU cannot lower-case: ", u_errorName(status));
  return out;
}

}  // namespace awend::text
