#include "text/sentencepiece/piece_rule.hpp"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <optional>

#include "base/utf8.hpp"

namespace awend::text {
namespace {

constexpr std::size_t kMaxCharacters = 16;
constexpr char32_t kSpace = U'\u2581';
constexpr char32_t kLongVowel = U'\u30FC';  // of Katakana and Hiragana, so it has no script

bool is_plain_digit(char32_t c) {
  return (c >= U'0' && c <= U'9') || (c >= U'\uFF10' && c <= U'\uFF19');
}

// Version 9 of Unicode: later characters have no script, and these have another one today.
constexpr unsigned kUnicodeVersion = 9;
constexpr char32_t kArmenianFullStop = U'\u0589', kArabicLetterMark = U'\u061C';  // no script
constexpr char32_t kGrave = U'\u0953', kAcute = U'\u0954';                        // Devanagari

bool has_no_script(char32_t c) {
  UVersionInfo age;
  u_charAge(static_cast<UChar32>(c), age);
  return age[0] == 0 || age[0] > kUnicodeVersion || c == kArmenianFullStop ||
         c == kArabicLetterMark;
}

// Nothing for a mark that takes the script of the character before it.
std::optional<UScriptCode> script_of(char32_t c) {
  if (has_no_script(c)) return USCRIPT_COMMON;
  if (c == kGrave || c == kAcute) return USCRIPT_DEVANAGARI;
  UErrorCode error = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(static_cast<UChar32>(c), &error);
  if (U_FAILURE(error) || script == USCRIPT_UNKNOWN) return USCRIPT_COMMON;
  if (script == USCRIPT_INHERITED) return std::nullopt;
  // Japanese is written in three scripts.
  const bool kana = script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA || c == kLongVowel;
  return kana ? USCRIPT_HAN : script;
}

}  // namespace

bool is_possible_piece(std::string_view text, DigitRule digits) {
  std::size_t characters = 0;
  bool has_digit = false;
  std::optional<UScriptCode> before;
  for (std::size_t at = 0; at < text.size(); ++characters) {
    const base::Utf8Step step = base::utf8_step(text, at);
    at += step.size_bytes;
    if (characters == kMaxCharacters) return false;
    if (step.code_point == kSpace) {
      if (characters > 0) return false;
      continue;
    }
    has_digit = has_digit || is_plain_digit(step.code_point);
    const auto script = script_of(step.code_point);
    if (script && before && *script != *before) return false;
    if (script) before = script;
  }
  return characters > 0 && !(digits == DigitRule::kEach && has_digit && characters > 1);
}

}  // namespace awend::text
