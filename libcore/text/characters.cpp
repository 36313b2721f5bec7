#include "text/characters.hpp"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>

#include "base/utf8.hpp"

namespace awend::text {
namespace {

bool has_category(char32_t character, std::uint32_t mask) {
  return (U_GET_GC_MASK(static_cast<UChar32>(character)) & mask) != 0;
}

bool is_inert(UChar32 character, UProperty quick_check) {
  return u_getIntPropertyValue(character, quick_check) == UNORM_YES &&
         u_getCombiningClass(character) == 0;
}

}  // namespace

bool is_digit(char32_t character) {
  return has_category(character, U_GC_ND_MASK);
}
bool is_separator(char32_t character) {
  return has_category(character, U_GC_Z_MASK);
}
bool is_control(char32_t character) {
  return has_category(character, U_GC_CC_MASK);
}
bool is_format(char32_t character) {
  return has_category(character, U_GC_CF_MASK);
}
bool is_number(char32_t character) {
  return has_category(character, U_GC_N_MASK);
}
bool is_punctuation(char32_t character) {
  return has_category(character, U_GC_P_MASK);
}
bool is_symbol(char32_t character) {
  return has_category(character, U_GC_S_MASK);
}

bool is_mark(char32_t character) {
  return has_category(character, U_GC_M_MASK);
}

bool is_private_use(char32_t character) {
  return has_category(character, U_GC_CO_MASK);
}

bool is_latin_letter(char32_t character) {
  UErrorCode status = U_ZERO_ERROR;
  const auto code = static_cast<UChar32>(character);
  return uscript_getScript(code, &status) == USCRIPT_LATIN && u_isalpha(code);
}

std::size_t count_columns(std::string_view utf8) {
  std::size_t columns = 0;
  for (std::size_t at = 0; at < utf8.size();) {
    const base::Utf8Step step = base::utf8_step(utf8, at);
    at += step.size_bytes;
    if (has_category(step.code_point, U_GC_MN_MASK | U_GC_ME_MASK | U_GC_CF_MASK)) continue;
    const auto width =
        u_getIntPropertyValue(static_cast<UChar32>(step.code_point), UCHAR_EAST_ASIAN_WIDTH);
    columns += width == U_EA_WIDE || width == U_EA_FULLWIDTH ? 2 : 1;
  }
  return columns;
}

bool is_in_unicode_8(char32_t character) {
  UVersionInfo version;
  u_charAge(static_cast<UChar32>(character), version);
  return version[0] > 0 && version[0] <= 8;
}

const std::array<CharacterFacts, kFirstWithoutFacts>& character_facts() {
  static const auto facts = [] {
    std::array<CharacterFacts, kFirstWithoutFacts> all;
    for (UChar32 character = 0; character < static_cast<UChar32>(all.size()); ++character) {
      all[static_cast<std::size_t>(character)] = {is_inert(character, UCHAR_NFC_QUICK_CHECK),
                                                  is_inert(character, UCHAR_NFKC_QUICK_CHECK)};
    }
    return all;
  }();
  return facts;
}

}  // namespace awend::text
