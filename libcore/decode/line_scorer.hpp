// Given translations, scored line by line: no search, the probability of what stands there.
//
// Scores are those that a search would give the same translations.  An n-best list is scored anew
// and put in the order of the new scores.  Test: tests/cli/translate_given.sh,
// tests/learn/forced_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "base/lines.hpp"
#include "decode/answer_text.hpp"
#include "decode/answer_view.hpp"
#include "decode/pair_scorer.hpp"
#include "decode/raw_text.hpp"
#include "decode/unknown_tokens.hpp"

namespace awend::decode {

struct ScorerSettings {
  Output output = Output::kScores;
  double alpha = 0.6;
  std::uint32_t n_best = 0;    ///< Of a list; 0: the targets are a line for each line.
  AnswerView* view = nullptr;  ///< If there is something to show beside the scores.
  RawText* raw = nullptr;      ///< If sources and translations are raw text.
};

class LineScorer {
 public:
  /// All but the settings must outlive the object.
  LineScorer(PairScorer& scorer, const text::Vocabulary& vocabulary, base::OutputFile& out,
             const ScorerSettings& settings);

  /// Scores all lines.  Throws Error naming file and line where one has more lines than the other,
  /// an n-best list is none, or a pair is longer than the device holds; what came before is
  /// written.
  void run(base::LineReader& sources, base::LineReader& targets);

  const UnknownTokens& sources() const { return sources_; }
  const UnknownTokens& targets() const { return targets_; }

 private:
  struct Given {
    SourceLine source;
    std::vector<std::uint32_t> target;
    std::vector<std::string> tokens;

    SentencePair pair() const { return {source.ids, target}; }
  };
  /// The next translation with its source; false at the end of both files.
  bool next(base::LineReader& sources, base::LineReader& targets, Given& given);
  bool next_of_list(base::LineReader& sources, base::LineReader& targets, Given& given);
  void put(Given given, const base::LineReader& targets);
  void flush();
  std::string_view as_tokens(std::string_view line, const base::LineReader& in);
  SourceLine source_line(std::string_view line);
  void write(const SourceLine& line, std::vector<Shown> shown);

  PairScorer& scorer_;
  base::OutputFile& out_;
  ScorerSettings settings_;
  UnknownTokens sources_, targets_;
  std::uint64_t lines_ = 0;  // of the sources, read so far
  SourceLine source_{};      // the last of them, for the translations of a list
  std::vector<Given> waiting_;
};

}  // namespace awend::decode
