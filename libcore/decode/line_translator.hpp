// Token lines in, translated token lines out: line n answers line n.
//
// Lines are read while others are in work, as many as keep the device busy, and written in order as
// soon as they are known.  Where the input pauses, what was read is worked on, so that one line
// typed gives one line back.  Test: tests/cli/translate.sh.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "base/lines.hpp"
#include "base/report.hpp"
#include "decode/answer_text.hpp"
#include "decode/answer_view.hpp"
#include "decode/raw_text.hpp"
#include "decode/translator.hpp"
#include "decode/unknown_tokens.hpp"
#include "text/vocabulary.hpp"

namespace awend::decode {

enum class Pace {
  kStream,      ///< Many lines are in work at once.
  kLineByLine,  ///< A line is answered before the next is read.
};

struct LineCounts {
  std::uint64_t lines = 0;       ///< Answered.
  std::uint64_t long_lines = 0;  ///< Translated in pieces.
};

class LineTranslator {
 public:
  struct Settings {
    Output output = Output::kText;
    Pace pace = Pace::kStream;
    base::LineReader* prefixes =
        nullptr;                 ///< A line for each line: what its translation begins with.
    AnswerView* view = nullptr;  ///< If there is something to show beside the tokens.
    RawText* raw = nullptr;      ///< If inputs and prefixes are raw text, and so are translations.
    std::function<void(std::uint64_t)> after_lines;  ///< Called with all lines written so far.
  };
  /// All but the settings must outlive the object.
  LineTranslator(Translator& translator, const text::Vocabulary& vocabulary, base::OutputFile& out,
                 const base::Report& report, Settings settings);

  /// Translates the lines of `in`; the last ones may still be in work.  Several inputs, one after
  /// the other, are one stream.  Where `in` fails the lines before are answered first.
  void read(base::LineReader& in);
  /// Answers what is in work.  Throws Error if prefixes are left.
  void finish();
  /// Of all inputs so far.
  const LineCounts& counts() const { return counts_; }
  const UnknownTokens& inputs() const { return inputs_; }

 private:
  bool next(base::LineReader& in, std::string_view& line);
  std::string_view as_tokens(std::string_view line, const base::LineReader& in);
  void put(std::string_view text, const base::LineReader& in);
  std::vector<std::uint32_t> next_prefix(const base::LineReader& in);
  void warn_of_long(const std::vector<std::uint32_t>& prefix, std::size_t tokens) const;
  void drain();
  void step();
  std::vector<Shown> shown(const std::vector<Hypothesis>& hypotheses);

  Translator& translator_;
  const text::Vocabulary& vocabulary_;
  base::OutputFile& out_;
  const base::Report& report_;
  UnknownTokens inputs_;
  Settings settings_;
  LineCounts counts_;
  std::deque<SourceLine> in_work_;  // where there is a view
  std::uint64_t lines_put_ = 0;
};

}  // namespace awend::decode
