// Perplexity from the scores that translate writes: e to the mean negative log-probability, of a
// token or of a word.
//
// The paper's tables 3 and 4 have it per word piece, which cannot be compared across vocabularies;
// per word it can be, if the words are counted in one way.  The end of a sentence is a token, and
// is no word.  Test: tests/unit/metrics/perplexity_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace awend::metrics {

/// What a line of scores looks like; logarithms are natural.
enum class ScoreForm {
  kScore,   // translate --scores: SCORE, a tab, TOKENS
  kNBest,   // translate --n-best: LINE ||| TOKENS ||| logprob= LOG ||| SCORE
  kTokens,  // translate --word-scores: a logarithm for each token and end, a tab, TOKENS; or no tab
};

struct ScoredLine {
  double log_probability = 0;
  std::uint64_t tokens = 0;                    // the end of the sentence too
  std::optional<std::uint64_t> line_number{};  // of an n-best list, from 0
};

/// Reads a line.  A score of kScore has been divided by ((5 + tokens) / 6)^alpha, which is undone.
/// Throws base::Error "WHERE: what"; `where` is "file:line".
ScoredLine parse_scored_line(std::string_view line, ScoreForm form, double alpha,
                             std::string_view where);

class Perplexity {
 public:
  /// Counts a line that has so many words, or an unknown number of them, 0.
  void add(const ScoredLine& line, std::uint64_t words = 0);

  std::uint64_t tokens() const { return tokens_; }
  std::uint64_t words() const { return words_; }
  /// Both are 1 where nothing was counted.
  double per_token() const;
  double per_word() const;

 private:
  double log_probability_ = 0;
  std::uint64_t tokens_ = 0, words_ = 0;
};

/// The words of a line of text, between white space.
std::uint64_t count_words(std::string_view text);

}  // namespace awend::metrics
