// Output formats.
#include "decode/answer_text.hpp"
#include "tests/catch.hpp"
#include "text/import.hpp"

namespace awend::decode {
namespace {

text::Vocabulary small_vocabulary() {
  return text::import_codes({.codes = "#version: 0.2\n", .pieces = {{"a", 2}, {"b\"", 1}}});
}

std::string text_of(Output form, const std::vector<Hypothesis>& hypotheses) {
  std::vector<Translation> rendered;
  for (const auto& hypothesis : hypotheses) {
    rendered.push_back({hypothesis, {}});
    for (const auto id : hypothesis.ids)
      rendered.back().tokens.emplace_back(small_vocabulary().piece(id));
  }
  return answer_text(form, 7, rendered);
}

}  // namespace

TEST_CASE("an answer in each form") {
  const auto vocabulary = small_vocabulary();
  const std::uint32_t a = vocabulary.find("a").value(), b = vocabulary.find("b\"").value();
  const std::vector<Hypothesis> two = {
      {.ids = {a, b}, .log_probability = -1.5, .score = -1, .of_tokens = {-0.5f, -0.75f, -0.25f}},
      {.ids = {b}, .log_probability = -3, .score = -2.5, .of_tokens = {-1, -2}}};
  REQUIRE(text_of(Output::kText, two) == "a b\"\n");
  REQUIRE(text_of(Output::kScores, two) == "-1\ta b\"\n");
  REQUIRE(text_of(Output::kWordScores, two) == "-0.5 -0.75 -0.25\ta b\"\n");
  REQUIRE(text_of(Output::kNBest, two) ==
          "7 ||| a b\" ||| logprob= -1.5 ||| -1\n7 ||| b\" ||| logprob= -3 ||| -2.5\n");
  REQUIRE(
      text_of(Output::kJson, two) ==
      R"({"line": 7, "translations": [{"tokens": "a b\"", "score": -1, "log_probability": -1.5, )"
      R"("word_scores": [-0.5, -0.75, -0.25]}, {"tokens": "b\"", "score": -2.5, )"
      R"("log_probability": -3, "word_scores": [-1, -2]}]})"
      "\n");
}

TEST_CASE("an empty line has an empty answer in each form") {
  const std::vector<Hypothesis> none(1);
  REQUIRE(text_of(Output::kText, none) == "\n");
  REQUIRE(text_of(Output::kWordScores, none) == "\t\n");
}

}  // namespace awend::decode
