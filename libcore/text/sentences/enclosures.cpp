#include "text/sentences/enclosures.hpp"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>

namespace awend::text::sentences {
namespace {

constexpr std::size_t kLongestBrackets = 400;  // characters; more are rather a mark that is missing
constexpr std::size_t kLongestTitle = 80;
constexpr std::size_t kDeepest = 16;  // open marks; bounds the search for the one that is closed

// Marks of the same row enclose text together.  `fixed`: the direction never depends on neighbors.
struct Kind {
  std::u32string_view opening, closing;
  Enclosed enclosed;
  bool fixed;
};
constexpr std::array<Kind, 9> kKinds = {{
    {U"(\uFF08", U")\uFF09", Enclosed::kBrackets, true},
    {U"[\uFF3B\u3014\u3010", U"]\uFF3D\u3015\u3011", Enclosed::kBrackets, true},
    {U"\u300A\u3008", U"\u300B\u3009", Enclosed::kTitle, true},
    {U"\u300C\uFF62", U"\u300D\uFF63", Enclosed::kQuotation, true},
    {U"\u300E", U"\u300F", Enclosed::kQuotation, true},
    {U"\u201C\u201E\u201F\"\uFF02", U"\u201D", Enclosed::kQuotation, false},
    {U"\u2018\u201A\u201B", U"\u2019", Enclosed::kQuotation, false},
    {U"\u00AB\u2039", U"\u00BB\u203A", Enclosed::kQuotation, false},
    {U"'", U"", Enclosed::kQuotation, false},
}};
// Without a direction of their own.
constexpr std::u32string_view kAlternating = U"\"\uFF02'";
constexpr std::uint8_t kNoKind = kKinds.size();

struct Mark {
  std::uint8_t kind;
  MarkSide side;  // without its neighbors; kNone: opens and closes in turn
};

// A quick test, true for all marks; most characters of a text are not.
bool may_be_mark(char32_t code) {
  return code < 0x80 ? code == U'"' || code == U'\'' || code == U'(' || code == U')' ||
                           code == U'[' || code == U']'
                     : code == 0xAB || code == 0xBB || (code >= 0x2018 && code <= 0x203A) ||
                           (code >= 0x3008 && code <= 0x3015) || code >= 0xFF02;
}

Mark mark_of(char32_t code) {
  if (!may_be_mark(code)) return {kNoKind, MarkSide::kNone};
  for (std::uint8_t kind = 0; kind < kNoKind; ++kind) {
    const Kind& marks = kKinds[kind];
    if (marks.opening.find(code) != marks.opening.npos)
      return {kind,
              kAlternating.find(code) != kAlternating.npos ? MarkSide::kNone : MarkSide::kOpening};
    if (marks.closing.find(code) != marks.closing.npos) return {kind, MarkSide::kClosing};
  }
  return {kNoKind, MarkSide::kNone};
}

// Whether a mark can open before these: space, brackets and dashes are before an opening mark.
// Equal marks are one; more than a few are not looked at, so that the time stays linear.
constexpr std::size_t kMaxEqual = 4;

bool has_left_edge(const LineCharacters& line, std::size_t index) {
  const std::size_t first = index - std::min(index, kMaxEqual);
  while (index > first && line[index - 1] == line[index]) --index;
  if (index == 0) return true;
  const char32_t code = line[index - 1];
  const auto type = u_charType(static_cast<UChar32>(code));
  return is_white(code) || type == U_START_PUNCTUATION || type == U_INITIAL_PUNCTUATION ||
         type == U_DASH_PUNCTUATION;
}

bool has_right_edge(const LineCharacters& line, std::size_t index) {
  const std::size_t last = std::min(line.size(), index + kMaxEqual);
  while (index + 1 < last && line[index + 1] == line[index]) ++index;
  if (index + 1 >= line.size()) return true;
  const char32_t code = line[index + 1];
  static constexpr std::u32string_view kPunctuation = U",.;:!?\u2026)]\u3001\u3002\uFF0C\uFF1B";
  return is_white(code) || kPunctuation.find(code) != kPunctuation.npos ||
         u_charType(static_cast<UChar32>(code)) == U_FINAL_PUNCTUATION;
}

bool is_after_terminator(const LineCharacters& line, std::size_t index) {
  return index > 0 && u_hasBinaryProperty(static_cast<UChar32>(line[index - 1]), UCHAR_S_TERM);
}

bool is_cased(char32_t code) {
  return u_isULowercase(static_cast<UChar32>(code)) || u_isUUppercase(static_cast<UChar32>(code));
}

// An apostrophe, also a wrong one: l"auteur.
bool is_within_word(const LineCharacters& line, std::size_t index) {
  if (index == 0 || index + 1 >= line.size()) return false;
  const char32_t left = line[index - 1], right = line[index + 1];
  if (line[index] == U'\'' || line[index] == 0x2019)
    return u_isalnum(static_cast<UChar32>(left)) && u_isalnum(static_cast<UChar32>(right));
  return line[index] == U'"' && is_cased(left) && is_cased(right);
}

// Brackets at the beginning of a sentence can contain several.
bool begins_sentence(const LineCharacters& line, std::size_t index) {
  while (index > 0 && line.is_white_at(index - 1)) --index;
  return index == 0 || is_after_terminator(line, index);
}

}  // namespace

void Enclosures::find(const LineCharacters& line, std::size_t longest_quotation) {
  sides_.assign(line.size() + 1, MarkSide::kNone);
  depths_.assign(line.size() + 1, 0);
  open_.clear();
  for (std::size_t i = 0; i < line.size(); ++i) {
    const auto [kind, nominal] = mark_of(line[i]);
    if (kind == kNoKind || is_within_word(line, i)) continue;
    MarkSide side = nominal;
    if (!kKinds[kind].fixed) {
      const bool left = has_left_edge(line, i), right = has_right_edge(line, i);
      if (left != right) {
        side = left ? MarkSide::kOpening : MarkSide::kClosing;
      } else if (nominal == MarkSide::kNone || (!left && is_after_terminator(line, i))) {
        // Chinese text also has “ where ” should be.
        const bool opened = std::ranges::find(open_, kind, &Open::kind) != open_.end();
        side = opened || nominal == MarkSide::kClosing ? MarkSide::kClosing : MarkSide::kOpening;
      }
    }
    sides_[i] = side;
    if (side == MarkSide::kClosing) {
      close(i, kind, longest_quotation);
    } else if (open_.size() < kDeepest) {
      open_.push_back({i, kind, begins_sentence(line, i)});
    }
  }
  for (std::size_t i = 1; i < depths_.size(); ++i) depths_[i] += depths_[i - 1];
}

void Enclosures::close(std::size_t index, std::uint8_t kind, std::size_t longest_quotation) {
  while (!open_.empty() && std::ranges::find(open_, kind, &Open::kind) != open_.end()) {
    const Open last = open_.back();
    open_.pop_back();
    if (last.kind != kind) continue;
    const Enclosed enclosed = kKinds[kind].enclosed;
    if (enclosed == Enclosed::kBrackets && last.begins_sentence) return;
    const std::size_t longest = enclosed == Enclosed::kBrackets ? kLongestBrackets
                                : enclosed == Enclosed::kTitle  ? kLongestTitle
                                                                : longest_quotation;
    if (index - last.index > longest) return;
    ++depths_[last.index + 1];
    --depths_[index + 1];
    return;
  }
}

}  // namespace awend::text::sentences
