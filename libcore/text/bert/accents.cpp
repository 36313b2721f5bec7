// Canonical decomposition character by character: marks are removed before they are sorted, so that
// text with many marks takes linear time.
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "base/utf8.hpp"
#include "text/bert/words.hpp"
#include "text/characters.hpp"
#include "text/icu_error.hpp"

namespace awend::text {
namespace {

const icu::Normalizer2& decomposition() {
  UErrorCode status = U_ZERO_ERROR;
  const auto* found = icu::Normalizer2::getNFDInstance(status);
  if (U_FAILURE(status)) base::fail("ICU cannot normalize: ", icu_reason(status));
  return *found;
}

bool is_accent(UChar32 character, BertRules rules) {
  const bool is_mark = u_charType(character) == U_NON_SPACING_MARK;
  if (rules == BertRules::kGoogle) return is_mark;
  // Characters whose category has changed since version 8.
  if (character == 0x1734) return true;
  if (character == 0x1885 || character == 0x1886 || character == 0xA9BD || character == 0x111C9)
    return false;
  return is_mark && is_in_unicode_8(static_cast<char32_t>(character));
}

// Spacing marks remain; the order of those that follow a letter is defined by their classes.
class Decomposer {
 public:
  Decomposer(std::string& out, BertRules rules) : out_(out), rules_(rules) {}

  void add(UChar32 character) {
    if (!form_.getDecomposition(character, text_)) return append(character);
    for (std::int32_t i = 0; i < text_.length(); i = text_.moveIndex32(i, 1))
      append(text_.char32At(i));
  }

  void flush() {
    std::ranges::stable_sort(marks_, {}, u_getCombiningClass);
    for (const UChar32 mark : marks_) base::append_code_point(out_, static_cast<char32_t>(mark));
    marks_.clear();
  }

 private:
  void append(UChar32 character) {
    if (is_accent(character, rules_)) return;
    if (u_getCombiningClass(character) != 0) return marks_.push_back(character);
    flush();
    base::append_code_point(out_, static_cast<char32_t>(character));
  }

  std::string& out_;
  BertRules rules_;
  const icu::Normalizer2& form_ = decomposition();
  icu::UnicodeString text_;
  std::vector<UChar32> marks_;
};

}  // namespace

std::string without_accents(std::string_view utf8, BertRules rules) {
  std::string out;
  Decomposer decomposer(out, rules);
  for (std::size_t at = 0; at < utf8.size();) {
    const base::Utf8Step step = base::utf8_step(utf8, at);
    decomposer.add(static_cast<UChar32>(step.code_point));
    at += step.size_bytes;
  }
  decomposer.flush();
  return out;
}

}  // namespace awend::text
