#include "metrics/bleu/marks.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "base/error.hpp"
#include "metrics/python_space.hpp"
#include "text/characters.hpp"

namespace awend::metrics {
namespace {

using AsciiMarks = std::array<Mark, 128>;

constexpr AsciiMarks with_spaces() {
  AsciiMarks marks{};
  for (char32_t c = 0; c < 128; ++c) {
    if (is_python_space(c)) marks[c] = Mark::kSpace;
  }
  return marks;
}

// Printable ASCII characters are separate words except for letters, digits, the apostrophe, and the
// three marks that numbers keep.
constexpr AsciiMarks by_13a() {
  auto marks = with_spaces();
  constexpr std::string_view kAlone = "!\"#$%&()*+/:;<=>?@[\\]^_`{|}~";
  for (char c : kAlone) marks[static_cast<unsigned char>(c)] = Mark::kAlone;
  for (char c = '0'; c <= '9'; ++c) marks[static_cast<unsigned char>(c)] = Mark::kNumber;
  marks['.'] = marks[','] = Mark::kMark;
  marks['-'] = Mark::kHyphen;
  return marks;
}

constexpr AsciiMarks all_alone() {
  auto marks = with_spaces();
  for (auto& mark : marks) mark = mark == Mark::kSpace ? mark : Mark::kAlone;
  return marks;
}

Mark by_category(char32_t character) {
  if (is_python_space(character)) return Mark::kSpace;
  if (text::is_number(character)) return Mark::kNumber;
  if (text::is_punctuation(character)) return Mark::kMark;
  return text::is_symbol(character) ? Mark::kAlone : Mark::kLetter;
}

AsciiMarks by_categories() {
  AsciiMarks marks{};
  for (char32_t c = 0; c < marks.size(); ++c) marks[c] = by_category(c);
  return marks;
}

// The Chinese characters of sacreBLEU.  Two of its entries compare texts of two characters and
// therefore cover 2001 to 2A6D and 2F81 to 2FA1 instead of the intended ideographs beyond U+FFFF,
// which are missing.
constexpr struct {
  char32_t first, last;
} kChinese[] = {
    {0x2001, 0x2A6D}, {0x2E80, 0x2EFF}, {0x2F00, 0x2FDF}, {0x2FF0, 0x303F}, {0x3100, 0x312F},
    {0x31A0, 0x31BF}, {0x31C0, 0x31EF}, {0x3200, 0x4DB5}, {0x4E00, 0x9FBB}, {0xF900, 0xFA2D},
    {0xFA30, 0xFA6A}, {0xFA70, 0xFAD9}, {0xFE10, 0xFE1F}, {0xFE30, 0xFE4F}, {0xFF00, 0xFFEF},
};

bool is_chinese(char32_t character) {
  const auto range =
      std::ranges::upper_bound(kChinese, character, {}, [](auto r) { return r.first; });
  return range != std::begin(kChinese) && character <= std::prev(range)->last;
}

}  // namespace

const std::array<Mark, 128>& ascii_marks(BleuTokenizer tokenizer) {
  static constexpr auto kBy13a = by_13a();
  static constexpr auto kAllAlone = all_alone();
  static constexpr auto kSpacesOnly = with_spaces();
  static const auto kByCategories = by_categories();
  switch (tokenizer) {
    case BleuTokenizer::k13a:
    case BleuTokenizer::kZh:
      return kBy13a;
    case BleuTokenizer::kIntl:
      return kByCategories;
    case BleuTokenizer::kChar:
      return kAllAlone;
    case BleuTokenizer::kNone:
    case BleuTokenizer::kSentencePiece:
    case BleuTokenizer::kMecab:
      return kSpacesOnly;
  }
  base::fail("unknown tokenizer");
}

Mark mark_beyond_ascii(char32_t character, BleuTokenizer tokenizer) {
  if (tokenizer == BleuTokenizer::kIntl) return by_category(character);
  if (is_python_space(character)) return Mark::kSpace;
  const bool alone = tokenizer == BleuTokenizer::kChar ||
                     (tokenizer == BleuTokenizer::kZh && is_chinese(character));
  return alone ? Mark::kAlone : Mark::kLetter;
}

}  // namespace awend::metrics
