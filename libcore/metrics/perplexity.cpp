#include "metrics/perplexity.hpp"

#include <cmath>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "metrics/python_space.hpp"

namespace awend::metrics {
namespace {

constexpr std::string_view kBar = " ||| ", kLog = "logprob= ";

double logarithm(std::string_view text, std::string_view where) {
  const auto number = base::find_number<double>(text);
  // Impossible tokens have minus infinity.  Probabilities are at most 1, up to the rounding of a
  // sum of floats.
  if (!number || !(*number <= 1e-3)) base::fail(where, ": '", text, "' is not a logarithm");
  return *number;
}

ScoredLine with_score(std::string_view line, double alpha, std::string_view where) {
  const auto tab = line.find('\t');
  if (tab == std::string_view::npos) base::fail(where, ": expected a score, a tab and tokens");
  ScoredLine scored{.tokens = count_words(line.substr(tab + 1)) + 1};
  const double penalty = std::pow((5 + static_cast<double>(scored.tokens)) / 6, alpha);
  scored.log_probability = logarithm(line.substr(0, tab), where) * penalty;
  return scored;
}

ScoredLine of_n_best(std::string_view line, std::string_view where) {
  // Tokens may contain bars, so the tokens end at the second-to-last bar.
  const auto first = line.find(kBar), last = line.rfind(kBar);
  const auto second = last == 0 ? last : line.rfind(kBar, last - 1);
  const auto number = base::find_number<std::uint64_t>(line.substr(0, first));
  const auto behind = second == std::string_view::npos ? second : second + kBar.size();
  if (!number || first == std::string_view::npos || behind > last ||
      first + kBar.size() > second + 1 || !line.substr(behind, last - behind).starts_with(kLog)) {
    base::fail(where, ": expected line ||| tokens ||| logprob= x ||| score");
  }
  const auto begin = behind + kLog.size();
  const auto tokens = line.substr(first, second - first);  // the first bar counts as the end token
  return {.log_probability = logarithm(line.substr(begin, last - begin), where),
          .tokens = count_words(tokens),
          .line_number = number};
}

ScoredLine of_tokens(std::string_view line, std::string_view where) {
  const auto tab = line.find('\t');
  ScoredLine scored;
  for_each_python_word(line.substr(0, tab), [&](std::string_view word) {
    scored.log_probability += logarithm(word, where);
    ++scored.tokens;
  });
  if (tab == std::string_view::npos) {
    if (scored.tokens == 0) base::fail(where, ": no logarithm");
    return scored;
  }
  // An output of maximum length has no end; a line in pieces has several, an empty one has none.
  const auto tokens = count_words(line.substr(tab + 1));
  if (tokens > scored.tokens)
    base::fail(where, ": ", scored.tokens, " logarithms for ", tokens, " tokens");
  return scored;
}

double perplexity(double log_probability, std::uint64_t count) {
  return count == 0 ? 1 : std::exp(-log_probability / static_cast<double>(count));
}

}  // namespace

ScoredLine parse_scored_line(std::string_view line, ScoreForm form, double alpha,
                             std::string_view where) {
  switch (form) {
    case ScoreForm::kScore:
      return with_score(line, alpha, where);
    case ScoreForm::kNBest:
      return of_n_best(line, where);
    case ScoreForm::kTokens:
      return of_tokens(line, where);
  }
  base::fail("unknown form of scores");
}

void Perplexity::add(const ScoredLine& line, std::uint64_t words) {
  log_probability_ += line.log_probability;
  tokens_ += line.tokens;
  words_ += words;
}

double Perplexity::per_token() const {
  return perplexity(log_probability_, tokens_);
}

double Perplexity::per_word() const {
  return perplexity(log_probability_, words_);
}

std::uint64_t count_words(std::string_view text) {
  std::uint64_t words = 0;
  for_each_python_word(text, [&](std::string_view) { ++words; });
  return words;
}

}  // namespace awend::metrics
