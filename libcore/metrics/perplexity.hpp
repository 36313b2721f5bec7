// Perplexity from the scores that translate writes: e to the mean negative log-probability of a
// token or word.
//
// The paper reports it per word piece (tables 3 and 4), which cannot be compared across
// vocabularies; perplexity per word can, if words are counted in the same way.  The end of a
// sentence is a token, but not a word.  Test: tests/unit/metrics/perplexity_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace awend::metrics {

/// The format of a line of scores; logarithms are natural.
enum class ScoreForm {
  kScore,   // of the option scores of translate: SCORE, a tab, TOKENS
  kTokens,  // of word-scores: a logarithm for each token and end, a tab, TOKENS; or no tab
};

struct ScoredLine {
  double log_probability = 0;
  std::uint64_t tokens = 0;  // including the end of the sentence
};

/// What a score of kScore has been divided by, for a number of tokens that includes the end.
using LengthDivisor = std::function<double(std::uint64_t tokens)>;

/// Parses a line, and reverts the penalty of kScore.  An empty line, whose probability is 1, has no
/// tokens.  Throws base::Error "WHERE: what"; `where` is "file:line".
ScoredLine parse_scored_line(std::string_view line, ScoreForm form, const LengthDivisor& divisor,
                             std::string_view where);

class Perplexity {
 public:
  /// Adds a line with this many words, or 0 if their number is unknown.
  void add(const ScoredLine& line, std::uint64_t words = 0);

  std::uint64_t tokens() const { return tokens_; }
  std::uint64_t words() const { return words_; }
  /// Both are 1 if nothing was added.
  double per_token() const;
  double per_word() const;

 private:
  double log_probability_ = 0;
  std::uint64_t tokens_ = 0, words_ = 0;
};

}  // namespace awend::metrics
