// A model with all settings of other toolkits: steps, batches, scores and shortlists agree.
#include <algorithm>

#include "decode/stepwise_scorer.hpp"
#include "decode/teacher_forced_scorer.hpp"
#include "tests/catch.hpp"
#include "tests/properties/toolkit_models.hpp"
#include "tests/properties/whole_model.hpp"

namespace awend::tests {
namespace {

constexpr std::uint32_t kMasked = 4;

ToolkitModel any_model() {
  return GENERATE(ToolkitModel::kSelfAttention, ToolkitModel::kSsru, ToolkitModel::kT5);
}

/// Sentence pairs of a search, and the scores that it gave.
struct Found {
  std::vector<decode::SentencePair> pairs;
  std::vector<decode::Hypothesis> hypotheses;
};

Found found_by(decode::Translator& translator) {
  const auto sentences = some_sentences();
  const auto answers = translator.translate(sentences);
  Found found;
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    for (const auto& hypothesis : answers[i]) {
      if (sentences[i].empty()) continue;
      found.pairs.push_back({sentences[i], hypothesis.ids});
      found.hypotheses.push_back(hypothesis);
    }
  }
  return found;
}

std::uint32_t most_common_id(const Found& found) {
  std::vector<std::size_t> counts(50);
  for (const auto& pair : found.pairs) {
    for (const std::uint32_t id : pair.target) ++counts[id];
  }
  return static_cast<std::uint32_t>(std::ranges::max_element(counts) - counts.begin());
}

void check_scores(decode::PairScorer& scorer, const Found& found) {
  const auto scores = scorer.scores(found.pairs);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const auto& expected = found.hypotheses[i].of_tokens;
    for (std::size_t at = 0; at < expected.size(); ++at)
      REQUIRE(scores[i][at] == Approx(expected[at]).margin(1e-4));
  }
  REQUIRE(scorer.scores(std::span(found.pairs).subspan(7, 1)).front() == scores[7]);
}

}  // namespace

TEST_CASE("models with settings of other toolkits translate the same in any batch") {
  const Scratch scratch;
  const store::ArrayFile checkpoint(
      toolkit_checkpoint(scratch.folder() + "/model", {kMasked}, any_model()));
  LoadedTranslator wide(checkpoint, settings(3, 500));
  LoadedTranslator narrow(checkpoint, settings(3, 40));
  const auto sentences = some_sentences();
  const auto together = wide.translate(sentences);
  const auto in_small_batches = narrow.translate(sentences);
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    CAPTURE(i);
    REQUIRE(same(together[i][0], wide.translate(std::span(&sentences[i], 1))[0][0]));
    REQUIRE(same(together[i][0], in_small_batches[i][0]));
  }
}

TEST_CASE("their steps agree with teacher forcing, and masked ids are never produced") {
  const Scratch scratch;
  auto made = settings(4, 300);
  made.search.n_best = 4;
  const auto kind = any_model();
  const store::ArrayFile unmasked(toolkit_checkpoint(scratch.folder() + "/model", {}, kind));
  LoadedTranslator free(unmasked, made);
  const std::uint32_t masked = most_common_id(found_by(free));
  const store::ArrayFile checkpoint(
      toolkit_checkpoint(scratch.folder() + "/masked", {masked, 49}, kind));
  LoadedTranslator translator(checkpoint, made);
  const Found found = found_by(translator);
  for (const auto& pair : found.pairs) CHECK(std::ranges::count(pair.target, masked) == 0);
  decode::LoadedModel model(engine(), checkpoint, nn::Element::kFloat32);
  decode::TeacherForcedScorer forced(engine(), model.view(), {.end_of_sentence = 1});
  check_scores(forced, found);
  decode::StepwiseScorer steps(engine(), decode::single_model(model.view()), {});
  check_scores(steps, found);
  WholeModel whole(scratch.folder() + "/masked");
  const auto log_p = whole.log_probabilities(found.pairs[5].source, found.pairs[5].target);
  CHECK(log_p[0][masked] < -1e20);
}

TEST_CASE("a shortlist of all tokens but the masked ones changes nothing") {
  const Scratch scratch;
  const store::ArrayFile checkpoint(
      toolkit_checkpoint(scratch.folder() + "/model", {kMasked}, any_model()));
  auto made = settings(3, 300);
  LoadedTranslator whole(checkpoint, made);
  for (std::uint32_t id = 2; id < 50; ++id) made.shortlist.push_back(id);
  LoadedTranslator shortened(checkpoint, made);
  const auto sentences = some_sentences();
  const auto expected = whole.translate(sentences), answers = shortened.translate(sentences);
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    CHECK(answers[i][0].ids == expected[i][0].ids);
    CHECK(answers[i][0].log_probability == Approx(expected[i][0].log_probability).margin(1e-4));
  }
}

TEST_CASE("attention without the end of the source leaves it out") {
  const Scratch scratch;
  const auto kind = any_model();
  const store::ArrayFile checkpoint(toolkit_checkpoint(scratch.folder() + "/model", {}, kind));
  decode::LoadedModel model(engine(), checkpoint, nn::Element::kFloat32);
  decode::TeacherForcedScorer scorer(engine(), model.view(),
                                     {1, decode::TeacherForcedScorer::Keeps::kAttention});
  const auto sum_of = [](std::span<const float> row) {
    double sum = 0;
    for (const float weight : row) sum += weight;
    return sum;
  };
  for (const std::size_t length : {0, 1, 6}) {
    const auto maps = scorer.attention({Sentence(length, 7), {9, 8}});
    CHECK(maps.encoder.heads == 2);
    CHECK(maps.cross.heads == 4);
    CHECK(maps.cross.layers == 2);
    CHECK(maps.decoder.layers == (kind == ToolkitModel::kSsru ? 0 : 2));
    for (std::size_t head = 0; head < maps.cross.heads; ++head) {
      for (std::size_t row = 0; row < maps.cross.rows; ++row) {
        const auto weights = maps.cross.row(1, head, row);
        CHECK(sum_of(weights) == Approx(1).epsilon(1e-5));
        CHECK((weights.back() == 0) == (length > 0));
      }
    }
    for (std::size_t row = 0; row < maps.encoder.rows; ++row) {
      const auto weights = maps.encoder.row(1, 1, row);
      CHECK(sum_of(weights) == Approx(1).epsilon(1e-5));
      CHECK((weights.back() == 0) == (row < length));
    }
  }
}

}  // namespace awend::tests
