#include "metrics/bleu/words.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/format.hpp"
#include "base/utf8.hpp"
#include "metrics/bleu/word_marks.hpp"
#include "metrics/python_space.hpp"
#include "text/case.hpp"

namespace awend::metrics {
namespace {

constexpr struct {
  std::string_view name;
  BleuTokenizer tokenizer;
} kTokenizers[] = {{"13a", BleuTokenizer::k13a},
                   {"intl", BleuTokenizer::kIntl},
                   {"zh", BleuTokenizer::kZh},
                   {"char", BleuTokenizer::kChar},
                   {"none", BleuTokenizer::kNone},
                   {"spm", BleuTokenizer::kSentencePiece},
                   {"flores101", BleuTokenizer::kSentencePiece},
                   {"flores200", BleuTokenizer::kSentencePiece},
                   {"spBLEU-1K", BleuTokenizer::kSentencePiece},
                   {"ja-mecab", BleuTokenizer::kMecab},
                   {"ko-mecab", BleuTokenizer::kMecab}};

// The entities that 13a decodes before splitting; the order matters: "&amp;lt;" becomes
// "<".  Returns the line itself if nothing changes, otherwise a view of `text`.
std::string_view without_entities(std::string_view line, std::string& text) {
  constexpr std::string_view kSkipped = "<skipped>";
  if (line.find(kSkipped) != std::string_view::npos)
    line = text = base::replaced(line, kSkipped, "");
  if (line.find('&') == std::string_view::npos) return line;
  text = base::replaced(line, "&quot;", "\"");
  text = base::replaced(text, "&amp;", "&");
  text = base::replaced(text, "&lt;", "<");
  return text = base::replaced(text, "&gt;", ">");
}

void cut_at_spaces(std::string_view text, std::vector<std::string_view>& words) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size();) {
    const auto step = base::utf8_step(text, i);
    if (is_python_space(step.code_point)) {
      if (i > begin) words.push_back(text.substr(begin, i - begin));
      begin = i + step.size_bytes;
    }
    i += step.size_bytes;
  }
  if (text.size() > begin) words.push_back(text.substr(begin));
}

}  // namespace

std::string_view name_of(BleuTokenizer tokenizer) {
  const auto row = std::ranges::find(kTokenizers, tokenizer, [](auto it) { return it.tokenizer; });
  base::check(row != std::end(kTokenizers), "the tokenizer is in the table");
  return row->name;
}

std::optional<BleuTokenizer> tokenizer_named(std::string_view name) {
  const auto found = std::ranges::find(kTokenizers, name, [](auto row) { return row.name; });
  if (found == std::end(kTokenizers)) return std::nullopt;
  return found->tokenizer;
}

WordCutter::WordCutter(BleuTokenizer tokenizer, LetterCase letter_case,
                       const text::SentencePieceModel* model, const text::Mecab* mecab)
    : tokenizer_(tokenizer),
      letter_case_(letter_case),
      model_(model),
      mecab_(mecab),
      ascii_(&ascii_marks(tokenizer)) {
  base::check((tokenizer == BleuTokenizer::kSentencePiece) == (model != nullptr),
              "a model for SentencePiece alone");
  base::check((tokenizer == BleuTokenizer::kMecab) == (mecab != nullptr),
              "MeCab where it is asked for");
}

void WordCutter::cut(std::string_view line, Words& words) const {
  words.words.clear();
  line = python_rstrip(line);
  if (letter_case_ == LetterCase::kLower) line = words.text = text::lower_case(line);
  if (tokenizer_ == BleuTokenizer::kSentencePiece) {
    std::string pieces;
    for (const auto& piece : model_->encode_pieces(line)) pieces += piece + ' ';
    words.text = std::move(pieces);
    return cut_at_spaces(words.text, words.words);
  }
  if (tokenizer_ == BleuTokenizer::kMecab) {
    words.text = mecab_->words(python_lstrip(line));
    return cut_at_spaces(words.text, words.words);
  }
  if (tokenizer_ == BleuTokenizer::k13a) line = without_entities(line, words.text);
  if (tokenizer_ == BleuTokenizer::kZh) line = python_lstrip(line);
  cut_by_marks(line, words.words);
}

Mark WordCutter::mark_at(std::string_view line, std::size_t position,
                         std::size_t& size_bytes) const {
  const auto byte = static_cast<unsigned char>(line[position]);
  if (byte < 128) {
    size_bytes = 1;
    return (*ascii_)[byte];
  }
  const auto step = base::utf8_step(line, position);
  size_bytes = step.size_bytes;
  return mark_beyond_ascii(step.code_point, tokenizer_);
}

// A field is the text between spaces and separate characters.  A mark at its edge is next to a
// space, except at the ends of the line, where only 13a adds spaces.
void WordCutter::cut_by_marks(std::string_view line, std::vector<std::string_view>& words) const {
  std::size_t begin = 0, size_bytes = 0, marks = 0;
  Mark last = Mark::kSpace;
  const auto end_field = [&](std::size_t end) {
    if (end > begin) cut_field(line, {begin, end, marks, last}, words);
  };
  for (std::size_t i = 0; i < line.size(); i += size_bytes) {
    const auto mark = mark_at(line, i, size_bytes);
    if (mark == Mark::kAlone || mark == Mark::kSpace) {
      end_field(i);
      if (mark == Mark::kAlone) words.push_back(line.substr(i, size_bytes));
      begin = i + size_bytes;
      marks = 0;
    } else {
      marks += mark == Mark::kMark || mark == Mark::kHyphen ? 1 : 0;
      last = mark;
    }
  }
  end_field(line.size());
}

// Nearly all fields have no mark, or one at their end.
void WordCutter::cut_field(std::string_view line, const Field& field,
                           std::vector<std::string_view>& words) const {
  const auto text = line.substr(field.begin, field.end - field.begin);
  if (field.marks == 0) return words.push_back(text);
  const bool padded = tokenizer_ == BleuTokenizer::k13a;
  const bool space_after = padded || field.end < line.size();
  if (field.marks == 1 && field.last == Mark::kMark && space_after) {
    std::size_t begin = text.size() - 1;
    while (base::is_utf8_tail(text[begin])) --begin;
    if (begin > 0) words.push_back(text.substr(0, begin));
    return words.push_back(text.substr(begin));
  }
  FieldMarks marks({.space_before = padded || field.begin > 0, .space_after = space_after});
  for (std::size_t i = 0, step = 0; i < text.size(); i += step)
    marks.add(i, mark_at(text, i, step));
  marks.cut(text, words);
}

}  // namespace awend::metrics
