// Scores given translations line by line, without a search.
//
// Scores are those that a search would assign to the same translations.  An n-best list is rescored
// and sorted by the new scores.  Test: tests/cli/translate_given.sh, tests/learn/forced_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "base/lines.hpp"
#include "decode/answer_text.hpp"
#include "decode/line_languages.hpp"
#include "decode/translation_parts.hpp"

namespace awend::decode {

struct ScorerSettings {
  LineForm form = LineForm::kTokens;  ///< Of sources and translations.
  Output output = Output::kScores;
  std::uint32_t n_best =
      0;  ///< Of an n-best list; 0: the targets have one line for each source line.
};

class LineScorer {
 public:
  /// Model and output must outlive the object.
  LineScorer(TranslationModel::Parts& model, base::OutputFile& out, const ScorerSettings& settings)
      : model_(model), scorer_(model.scorer()), out_(out), settings_(settings) {}

  /// Scores all lines.  Throws Error naming file and line if one file has more lines than the
  /// other, an n-best list is malformed, or a pair is too long for the device; the scores of
  /// earlier lines are written.
  void run(base::LineReader& sources, base::LineReader& targets);

 private:
  struct Given {
    SourceLine source;
    LineCodec::Tokens target;

    SentencePair pair() const {
      return {with_language(source.languages.source, source.ids),
              with_language(source.languages.target, target.ids)};
    }
  };
  /// The next translation with its source; false at the end of both files.
  bool next(base::LineReader& sources, base::LineReader& targets, Given& given);
  bool next_of_list(base::LineReader& sources, base::LineReader& targets, Given& given);
  void put(Given given, const base::LineReader& targets);
  void flush();
  SourceLine source_line(std::string_view text, const base::LineReader& in);
  LineCodec::Tokens target_tokens(std::string_view text, const base::LineReader& in,
                                  SourceLine& source);
  void write(const SourceLine& line, std::vector<Translation> translations);

  TranslationModel::Parts& model_;
  PairScorer& scorer_;
  base::OutputFile& out_;
  ScorerSettings settings_;
  std::uint64_t lines_ = 0;  // of the sources, read so far
  SourceLine source_{};      // the last of them, for the translations of a list
  std::vector<Given> waiting_;
};

}  // namespace awend::decode
