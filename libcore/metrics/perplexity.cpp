#include "metrics/perplexity.hpp"

#include <cmath>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "metrics/python_space.hpp"

namespace awend::metrics {
namespace {

double logarithm(std::string_view text, std::string_view where) {
  const auto number = base::find_number<double>(text);
  // Impossible tokens have minus infinity.  Probabilities are at most 1, up to the rounding of a
  // sum of floats.
  if (!number || !(*number <= 1e-3)) base::fail(where, ": '", text, "' is not a logarithm");
  return *number;
}

ScoredLine with_score(std::string_view line, const LengthDivisor& divisor, std::string_view where) {
  const auto tab = line.find('\t');
  if (tab == std::string_view::npos) base::fail(where, ": expected a score, a tab and tokens");
  const double score = logarithm(line.substr(0, tab), where);
  const auto words = static_cast<std::uint64_t>(count_words(line.substr(tab + 1)));
  if (score == 0 && words == 0) return {};
  return {.log_probability = score * divisor(words + 1), .tokens = words + 1};
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
  const auto tokens = static_cast<std::uint64_t>(count_words(line.substr(tab + 1)));
  if (tokens > scored.tokens)
    base::fail(where, ": ", scored.tokens, " logarithms for ", tokens, " tokens");
  return scored;
}

double perplexity(double log_probability, std::uint64_t count) {
  return count == 0 ? 1 : std::exp(-log_probability / static_cast<double>(count));
}

}  // namespace

ScoredLine parse_scored_line(std::string_view line, ScoreForm form, const LengthDivisor& divisor,
                             std::string_view where) {
  return form == ScoreForm::kScore ? with_score(line, divisor, where) : of_tokens(line, where);
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

}  // namespace awend::metrics
