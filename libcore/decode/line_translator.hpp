// Translates token lines: output line n is the translation of input line n.
//
// Lines are read while others are translated, enough to keep the device busy, and written in order
// as soon as they are available.  If the input pauses, the lines read so far are translated, so
// that interactive use gets one line for each line.  Test: tests/cli/translate.sh.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "base/lines.hpp"
#include "base/repeated_warning.hpp"
#include "base/report.hpp"
#include "decode/answer_text.hpp"
#include "decode/answer_view.hpp"
#include "decode/raw_text.hpp"
#include "decode/translator.hpp"
#include "decode/unknown_tokens.hpp"
#include "text/vocabularies.hpp"

namespace awend::decode {

/// What is wrong with the ids of a line, or nullopt.
using SourceProblem = std::function<std::optional<std::string>(std::span<const std::uint32_t>)>;

enum class Pace {
  kStream,      ///< Many lines are translated at once.
  kLineByLine,  ///< A line is written before the next is read.
};

class LineTranslator {
 public:
  struct Settings {
    Output output = Output::kText;
    Pace pace = Pace::kStream;
    base::LineReader* prefixes =
        nullptr;                 ///< For each line, the required beginning of its translation.
    AnswerView* view = nullptr;  ///< If annotations are requested.
    RawText* raw = nullptr;      ///< If input, prefixes and output are raw text.
    SourceProblem source_problem = {};  ///< If the models require something of a line.
    std::function<void(std::uint64_t)>
        after_lines;  ///< Called with the number of lines written so far.
  };
  struct Parts {
    Translator& translator;
    text::Vocabularies vocabularies;
    base::OutputFile& out;
    const base::Report& report;
  };
  /// The parts, and what the settings point to, must outlive the object.
  LineTranslator(const Parts& parts, Settings settings);

  /// Translates the lines of `in`; the last ones may be in progress afterwards.  Several inputs
  /// form one stream.  If `in` fails, the lines before are written first.
  void read(base::LineReader& in);
  /// Completes the lines in progress, and summarizes warnings.  Throws Error if prefixes remain.
  void finish();
  /// Of all inputs so far.
  const UnknownTokens& inputs() const { return inputs_; }

 private:
  bool next(base::LineReader& in, std::string_view& line);
  std::string_view as_tokens(std::string_view line, const base::LineReader& in, RawText::Side side);
  void put(std::string_view text, const base::LineReader& in);
  std::vector<std::uint32_t> next_prefix(const base::LineReader& in);
  void warn_of_long_prefix(const std::vector<std::uint32_t>& prefix, std::size_t tokens);
  void require_valid(std::span<const std::uint32_t> ids, const base::LineReader& in);
  void drain();
  void step();
  std::vector<RenderedHypothesis> rendered(const std::vector<Hypothesis>& hypotheses);

  Translator& translator_;
  const text::Vocabulary& vocabulary_;  // of the target
  base::OutputFile& out_;
  UnknownTokens inputs_;
  base::RepeatedWarning long_lines_, long_prefixes_;
  Settings settings_;
  std::uint64_t lines_ = 0;             // written
  std::deque<SourceLine> in_progress_;  // if there is a view
  std::uint64_t lines_put_ = 0;
};

}  // namespace awend::decode
