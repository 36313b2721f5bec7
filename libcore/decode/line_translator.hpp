// Translates token lines: output line n is the translation of input line n.
//
// Lines are read while others are translated, enough to keep the device busy, and written in order
// as soon as they are available.  If the input pauses, the lines read so far are translated, so
// that interactive use gets one line for each line.  Test: tests/cli/translate.sh.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "base/lines.hpp"
#include "base/repeated_warning.hpp"
#include "decode/answer_text.hpp"
#include "decode/markup_lines.hpp"
#include "decode/translation_parts.hpp"

namespace awend::decode {

enum class Pace {
  kStream,      ///< Many lines are translated at once.
  kLineByLine,  ///< A line is written before the next is read.
};

class LineTranslator {
 public:
  struct Settings {
    LineForm form = LineForm::kTokens;  ///< Of input, prefixes and output.
    Output output = Output::kText;
    Pace pace = Pace::kStream;
    base::LineReader* prefixes =
        nullptr;  ///< For each line, the required beginning of its translation.
    /// The lines are raw text with markup or protected text; null: without.  The model must weigh
    /// its translations (ViewSettings::weights).
    const MarkupSettings* markup = nullptr;
    std::function<void(std::uint64_t)>
        after_lines;  ///< Called with the number of lines written so far.
  };
  /// Model and output, and what the settings point to, must outlive the object.
  LineTranslator(TranslationModel::Parts& model, base::OutputFile& out, Settings settings);

  /// Opens an input.  If that fails, the lines before are written first.
  base::LineReader open(const std::string& path, base::TextPolicy policy);
  /// Translates the lines of `in`; the last ones may be in progress afterwards.  Several inputs
  /// form one stream.  If `in` fails, the lines before are written first.
  void read(base::LineReader& in);
  /// Completes the lines in progress, and summarizes warnings.  Throws Error if prefixes remain.
  void finish();

 private:
  template <class Call>
  auto or_drain(const Call& call) -> decltype(call());
  template <class Call>
  auto at(const base::LineReader& in, const Call& call) -> decltype(call());
  bool waits(base::LineReader& in);
  bool next(base::LineReader& in, std::string_view& line);
  void put(std::string_view text, const base::LineReader& in);
  void put_markup(std::string_view text, const base::LineReader& in);
  SourceLine read_source(std::string_view text, const base::LineReader& in);
  void warn_of_long_line(std::size_t tokens, const base::LineReader& in);
  std::vector<std::uint32_t> next_prefix(const base::LineReader& in);
  void warn_of_long_prefix(const std::vector<std::uint32_t>& prefix, std::size_t tokens);
  void drain();
  void step();

  TranslationModel::Parts& model_;
  Translator& translator_;
  base::OutputFile& out_;
  base::RepeatedWarning long_lines_, long_prefixes_, broken_lines_;
  Settings settings_;
  std::optional<MarkupLines> markup_;
  std::uint64_t lines_ = 0, lines_read_ = 0;  // written, read
};

}  // namespace awend::decode
