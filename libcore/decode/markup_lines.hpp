// Lines of markup as texts to translate, and the translations as lines.
//
// A line has a text for each part that is a sentence of its own; if there is none, one empty text.
// Test: tests/unit/decode/markup_lines_test.cpp, tests/cli/translate_markup.sh.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "decode/translation.hpp"
#include "text/markup/parser.hpp"
#include "text/markup/placer.hpp"
#include "text/vocabularies.hpp"
#include "text/words.hpp"

namespace awend::decode {

struct MarkupSettings {
  text::MarkupLanguage language = text::MarkupLanguage::kNone;
  text::ProtectionSettings protection = {};
};

class MarkupLines {
 public:
  /// The vocabularies must outlive it.  UsageError for a pattern that is not a regular expression.
  MarkupLines(const MarkupSettings& settings, const text::Vocabularies& vocabularies);

  /// A line as texts.
  struct Line {
    std::string line;
    text::MarkupLine markup;
    struct Text {
      std::string_view text;                 ///< In `markup`.
      bool needs_weights;                    ///< Of its alignment.
      std::vector<std::string> tokens = {};  ///< For the caller to set if weights are needed.
    };
    std::vector<Text> texts;
    std::vector<Translation> translations = {};

    Line(std::string whole, text::MarkupLine parts);
    Line(Line&&) = default;
    Line& operator=(Line&&) = default;
  };
  /// Throws Error if a pattern takes too long.
  Line parse(std::string_view line);

  /// Appends a line whose texts are translated next.
  void put(Line line) { lines_.push_back(std::move(line)); }
  /// Appends the translation of the first text without one.  When all texts of its line have one,
  /// returns the line: its text, and the sums of the scores.
  std::optional<Translation> add(Translation translation);

 private:
  Translation complete(Line line);
  std::string place(const Line& line, const text::MarkupSegment& segment, std::size_t number);

  MarkupSettings settings_;
  text::Vocabularies vocabularies_;
  text::ProtectedSpans spans_;
  text::WordBreaker breaker_;
  std::deque<Line> lines_;
};

}  // namespace awend::decode
