// Perplexities by hand, over every form of scores.
#include "metrics/perplexity.hpp"

#include <cmath>

#include "base/error.hpp"
#include "tests/catch.hpp"

namespace {

using namespace awend::metrics;

TEST_CASE("scores are freed of their length penalty") {
  const auto root = [](std::uint64_t tokens) { return std::sqrt(tokens); };
  const auto scored = parse_scored_line("-1.5\ta b c", ScoreForm::kScore, root, "f:1");
  CHECK(scored.tokens == 4);
  CHECK(scored.log_probability == -3);
  const auto plain = parse_scored_line("-1.5\t", ScoreForm::kScore, root, "f:1");
  CHECK(plain.tokens == 1);
  CHECK(plain.log_probability == -1.5);
  // The translation of an empty line, not one of which only the end was generated.
  CHECK(parse_scored_line("0\t", ScoreForm::kScore, root, "f:1").tokens == 0);
  CHECK(parse_scored_line("-1e-9\t", ScoreForm::kScore, root, "f:1").tokens == 1);
}

TEST_CASE("each token may have its own logarithm") {
  for (const auto* line : {"-1 -0.5 -0.25", "-1 -0.5 -0.25\ta b"}) {
    const auto scored = parse_scored_line(line, ScoreForm::kTokens, {}, "f:1");
    CHECK(scored.tokens == 3);
    CHECK(scored.log_probability == -1.75);
  }
  // Cut at the longest output; two pieces; nothing.
  CHECK(parse_scored_line("-1 -2\ta b", ScoreForm::kTokens, {}, "f:1").tokens == 2);
  CHECK(parse_scored_line("-1 -2 -1 -3\ta b", ScoreForm::kTokens, {}, "f:1").tokens == 4);
  CHECK(parse_scored_line("\t", ScoreForm::kTokens, {}, "f:1").tokens == 0);
}

std::string complaint(std::string_view line, ScoreForm form) {
  try {
    parse_scored_line(
        line, form, [](std::uint64_t) { return 1; }, "f:3");
  } catch (const awend::base::Error& error) {
    return error.what();
  }
  return "none";
}

TEST_CASE("invalid scores are refused") {
  CHECK(complaint("-1 a", ScoreForm::kScore) == "f:3: expected a score, a tab and tokens");
  CHECK(complaint("x\ta", ScoreForm::kScore) == "f:3: 'x' is not a logarithm");
  CHECK(complaint("0.5\ta", ScoreForm::kScore) == "f:3: '0.5' is not a logarithm");
  CHECK(complaint("nan\ta", ScoreForm::kScore) == "f:3: 'nan' is not a logarithm");
  CHECK(complaint("", ScoreForm::kTokens) == "f:3: no logarithm");
  CHECK(complaint("-1 -1\ta b c", ScoreForm::kTokens) == "f:3: 2 logarithms for 3 tokens");
}

TEST_CASE("perplexity is per token and per word") {
  Perplexity perplexity;
  CHECK(perplexity.per_token() == 1);
  perplexity.add({.log_probability = -4 * std::log(8), .tokens = 8}, 3);
  perplexity.add({.log_probability = -2 * std::log(8), .tokens = 4}, 1);
  CHECK(perplexity.tokens() == 12);
  CHECK(perplexity.words() == 4);
  CHECK(perplexity.per_token() == Approx(std::sqrt(8)));
  CHECK(perplexity.per_word() == Approx(std::pow(8, 1.5)));
}

}  // namespace
