// Token lines in, translated token lines out: line n answers line n, in windows that keep batches
// full and memory bounded.
//
// A window ends when it holds enough lines, or as soon as the input pauses, so that one line typed
// gives one line back. Test: tests/learn/translate_test.cpp, tests/cli/translate.sh.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "base/lines.hpp"
#include "base/report.hpp"
#include "decode/translator.hpp"
#include "text/vocabulary.hpp"

namespace awend::decode {

enum class Output {
  kText,    ///< tokens
  kScores,  ///< score, tab, tokens
  kNBest,   ///< "line ||| tokens ||| logprob= x ||| score", n lines for each line; lines count from
            ///< 0
};

struct LineCounts {
  std::uint64_t lines = 0;
  std::uint64_t pieces = 0;
  std::uint64_t unknown_pieces = 0;
  std::uint64_t long_lines = 0;  ///< Translated in pieces.
};

class LineTranslator {
 public:
  LineTranslator(Translator& translator, const text::Vocabulary& vocabulary, Output output,
                 const base::Report& report)
      : translator_(translator), vocabulary_(vocabulary), output_(output), report_(report) {}

  /// Translates all lines of `in`; several inputs, one after the other, are one stream.
  /// `after_window` is called after each window.
  void run(base::LineReader& in, base::OutputFile& out,
           const std::function<void()>& after_window = {});
  /// Of all inputs so far.
  const LineCounts& counts() const { return counts_; }

 private:
  std::string tokens_of(const Hypothesis& hypothesis) const;
  void write(std::uint64_t line, const std::vector<Hypothesis>& hypotheses,
             base::OutputFile& out) const;

  Translator& translator_;
  const text::Vocabulary& vocabulary_;
  Output output_;
  const base::Report& report_;
  LineCounts counts_;
};

}  // namespace awend::decode
