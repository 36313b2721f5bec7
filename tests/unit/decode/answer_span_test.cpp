// The best answers in a passage.
#include "decode/answer_span.hpp"

#include "tests/catch.hpp"

namespace awend::decode {
namespace {

/// [CLS] q [SEP] p1 … p6 [SEP]: the passage has the places 3 to 8.
const data::EncoderLine kLine{
    .ids = {2, 7, 3, 11, 12, 13, 14, 15, 16, 3}, .second_segment = 3, .predicted = {}};

/// Logits that are 0 but for some places, as the first and as the last token.
std::vector<float> logits_of(const std::vector<std::pair<std::uint32_t, float>>& firsts,
                             const std::vector<std::pair<std::uint32_t, float>>& lasts,
                             std::size_t tokens = 10) {
  std::vector<float> logits(2 * tokens);
  for (const auto& [place, value] : firsts) logits[2 * place] = value;
  for (const auto& [place, value] : lasts) logits[2 * place + 1] = value;
  return logits;
}

batch::RowRange best(const std::vector<float>& logits, const AnswerSettings& settings = {}) {
  return best_answers(kLine, logits, settings).front().places;
}

TEST_CASE("the best answer is in the passage, and ends after its beginning", "[answer]") {
  CHECK(best(logits_of({{4, 2}}, {{6, 2}})) == batch::RowRange{4, 7});
  CHECK(best(logits_of({{8, 1}}, {{8, 1}})) == batch::RowRange{8, 9});
  // The question, the separators and [CLS] are not in the passage.
  for (const std::uint32_t place : {0, 1, 2, 9})
    CHECK(best(logits_of({{4, 2}, {place, 9}}, {{6, 2}, {place, 9}})) == batch::RowRange{4, 7});
  // The best ends are in the wrong order: one is with another end.
  CHECK(best(logits_of({{7, 3}, {4, 1}}, {{5, 2}, {8, 1.5}})) == batch::RowRange{7, 9});
  // Of equal ones, the first and shortest.
  CHECK(best(logits_of({}, {})) == batch::RowRange{3, 4});
}

TEST_CASE("an answer is not longer than the limit", "[answer]") {
  const auto logits = logits_of({{3, 2}, {6, 1}}, {{8, 2}, {6, 0.5}});
  CHECK(best(logits) == batch::RowRange{3, 9});
  CHECK(best(logits, {.longest = 6}) == batch::RowRange{3, 9});
  CHECK(best(logits, {.longest = 5}) == batch::RowRange{6, 9});
  CHECK(best(logits, {.longest = 2}) == batch::RowRange{3, 4});
  CHECK(best(logits_of({{3, 2}, {6, 1}}, {{8, 2}, {6, 1.5}}), {.longest = 1}) ==
        batch::RowRange{6, 7});
}

TEST_CASE("answers are sorted by score, with their probabilities", "[answer]") {
  const auto logits = logits_of({{4, 2}, {5, 1}}, {{6, 2}});
  const auto answers = best_answers(kLine, logits, {.count = 3});
  REQUIRE(answers.size() == 3);
  CHECK(answers[0].places == batch::RowRange{4, 7});
  CHECK(answers[1].places == batch::RowRange{5, 7});
  CHECK(answers[0].score == 4);
  CHECK(answers[1].score == 3);
  const double firsts = std::exp(2) + std::exp(1) + 8, lasts = std::exp(2) + 9;
  CHECK(answers[0].probability == Approx(std::exp(4) / firsts / lasts));
  CHECK(answers[1].probability == Approx(std::exp(3) / firsts / lasts));
  // All spans of six tokens.
  const auto all = best_answers(kLine, logits, {.count = 1000});
  CHECK(all.size() == 21);
  CHECK(std::ranges::is_sorted(all, std::ranges::greater{}, &Answer::score));
}

TEST_CASE("no answer is the best if it is better by more than the threshold", "[answer]") {
  const auto logits = logits_of({{0, 3}, {4, 2}, {5, 1}}, {{0, 2}, {6, 2}});
  const auto answers_with = [&](std::optional<double> threshold, std::uint32_t count) {
    return best_answers(kLine, logits, {.count = count, .null_threshold = threshold});
  };
  CHECK(answers_with({}, 1).front().exists());
  CHECK_FALSE(answers_with(0, 1).front().exists());
  CHECK(answers_with(0, 1).front().score == 5);
  CHECK_FALSE(answers_with(0.5, 1).front().exists());
  CHECK(answers_with(1, 1).front().exists());
  CHECK_FALSE(answers_with(-9, 1).front().exists());
  const auto three = answers_with(1.5, 3);
  REQUIRE(three.size() == 3);
  CHECK(three[0].exists());
  CHECK_FALSE(three[1].exists());
  CHECK(three[2].places == batch::RowRange{5, 7});
}

TEST_CASE("an empty passage has no answer", "[answer]") {
  const data::EncoderLine empty{.ids = {2, 7, 3, 3}, .second_segment = 3, .predicted = {}};
  const data::EncoderLine nothing{.ids = {2, 3}, .second_segment = 2, .predicted = {}};
  CHECK_FALSE(best_answers(empty, logits_of({}, {}, 4), {}).front().exists());
  CHECK_FALSE(best_answers(nothing, logits_of({}, {}, 2), {.count = 4}).front().exists());
}

}  // namespace
}  // namespace awend::decode
