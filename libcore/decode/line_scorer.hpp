// Scores given translations line by line, without a search.
//
// Scores are those that a search would assign to the same translations.  An n-best list is rescored
// and sorted by the new scores.  Test: tests/cli/translate_given.sh, tests/learn/forced_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
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
  LengthPenalty length_penalty = LengthPenalty::kGnmt;
  std::uint32_t n_best =
      0;  ///< Of an n-best list; 0: the targets have one line for each source line.
  AnswerView* view = nullptr;  ///< If annotations are requested.
  RawText* raw = nullptr;      ///< If sources and translations are raw text.
  /// What is wrong with the ids of a source, or nullopt; if models require something of it.
  std::function<std::optional<std::string>(std::span<const std::uint32_t>)> source_problem = {};
};

class LineScorer {
 public:
  /// All but the settings must outlive the object.
  LineScorer(PairScorer& scorer, const text::Vocabularies& vocabularies, base::OutputFile& out,
             const ScorerSettings& settings);

  /// Scores all lines.  Throws Error naming file and line if one file has more lines than the
  /// other, an n-best list is malformed, or a pair is too long for the device; the scores of
  /// earlier lines are written.
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
  std::string_view as_tokens(std::string_view line, const base::LineReader& in, RawText::Side side);
  SourceLine source_line(std::string_view text, const base::LineReader& in);
  void write(const SourceLine& line, std::vector<RenderedHypothesis> rendered);

  PairScorer& scorer_;
  base::OutputFile& out_;
  ScorerSettings settings_;
  UnknownTokens sources_, targets_;
  std::uint64_t lines_ = 0;  // of the sources, read so far
  SourceLine source_{};      // the last of them, for the translations of a list
  std::vector<Given> waiting_;
};

}  // namespace awend::decode
