// Properties of shortlists.
#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "decode/translator.hpp"
#include "tests/catch.hpp"
#include "tests/properties/whole_model.hpp"

namespace awend::tests {
namespace {

/// ln p, normalized over the tokens of `list`.
std::vector<double> among(const std::vector<double>& log_p, const Sentence& list) {
  double sum = 0;
  for (const std::uint32_t id : list) sum += std::exp(log_p[id]);
  std::vector<double> restricted(log_p.size(), -1e9);
  for (const std::uint32_t id : list) restricted[id] = log_p[id] - std::log(sum);
  return restricted;
}

}  // namespace

TEST_CASE("translations have only tokens of the shortlist, with probabilities normalized over it") {
  const Scratch scratch;
  const auto path = random_checkpoint(scratch.folder() + "/model", small_config());
  const store::ArrayFile checkpoint(path);
  WholeModel whole(path);
  auto made = settings(1, 200);
  made.shortlist = {40, 7, 12, 33, 8};
  const Sentence list = {0, 1, 7, 8, 12, 33, 40};
  LoadedTranslator translator(checkpoint, made);
  const auto sentences = some_sentences();
  const auto answers = translator.translate(sentences);
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    if (sentences[i].empty()) continue;
    const auto& [ids, log_probability, score, of_tokens] = answers[i][0];
    const auto log_p = whole.log_probabilities(sentences[i], ids);
    for (std::size_t at = 0; at < of_tokens.size(); ++at) {
      const auto restricted = among(log_p[at], list);
      const std::uint32_t id = at < ids.size() ? ids[at] : 1;
      REQUIRE(std::ranges::find(list, id) != list.end());
      REQUIRE(of_tokens[at] == Approx(restricted[id]).epsilon(1e-4).margin(1e-5));
      REQUIRE(of_tokens[at] ==
              Approx(*std::ranges::max_element(restricted)).epsilon(1e-4).margin(1e-5));
    }
  }
}

TEST_CASE("a shortlist of all tokens changes nothing, bit for bit") {
  const Scratch scratch;
  const store::ArrayFile checkpoint(random_checkpoint(scratch.folder() + "/model", small_config()));
  auto made = settings(3, 200);
  made.search.rules = {.no_repeat_ngram = 2, .repetition_penalty = 1.3};
  LoadedTranslator plain(checkpoint, made);
  for (std::uint32_t id = 0; id < 50; ++id) made.shortlist.push_back(49 - id);
  LoadedTranslator listed(checkpoint, made);
  const auto sentences = some_sentences();
  const auto expected = plain.translate(sentences), answers = listed.translate(sentences);
  for (std::size_t i = 0; i < sentences.size(); ++i) REQUIRE(same(answers[i][0], expected[i][0]));
}

TEST_CASE("prefixes and rules respect a shortlist") {
  const Scratch scratch;
  const store::ArrayFile checkpoint(random_checkpoint(scratch.folder() + "/model", small_config()));
  auto made = settings(3, 200);
  made.shortlist = {7, 8, 12, 33, 40};
  made.search.rules = {.min_length_extra = 5, .no_repeat_ngram = 1, .unknown_penalty = 1e3};
  LoadedTranslator translator(checkpoint, made);
  const Sentence source = {5, 6, 7}, prefix = {33, 8};
  translator.put(source, prefix);
  REQUIRE_THROWS_AS(translator.put(source, Sentence{33, 9}), base::Error);
  std::optional<decode::Translator::Answer> answer;
  while (!(answer = translator.take())) translator.step();
  Sentence ids = answer->front().ids;
  REQUIRE(Sentence(ids.begin(), ids.begin() + 2) == prefix);
  // All five occur once before the end or the unknown token.
  ids.resize(5);
  std::ranges::sort(ids);
  REQUIRE(ids == made.shortlist);
}

}  // namespace awend::tests
