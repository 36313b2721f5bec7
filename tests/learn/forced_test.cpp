// Forced scoring agrees with the search that produced the translations, and the attention of a
// model that reverses its input is plausible.

#include "data/update_stream.hpp"
#include "decode/alignment.hpp"
#include "decode/teacher_forced_scorer.hpp"
#include "decode/translator.hpp"
#include "tests/catch.hpp"
#include "tests/learn/stage.hpp"

namespace awend::tests {
namespace {

constexpr std::uint32_t kEnd = 1;

/// A model that reverses digits.  Training takes a few seconds, so all test cases share it.
train::Trainer& reverser() {
  static std::unique_ptr<train::Trainer> trainer;
  if (trainer) return *trainer;
  auto recipe = quick_recipe();
  recipe.learning_rate = 0.005;
  recipe.warmup = 100;
  recipe.batch_tokens = 512;
  trainer = std::make_unique<train::Trainer>(engine(), digit_model(), recipe);
  before_end_of_engine([] { trainer.reset(); });
  const auto pairs = reversals(3000, 51);
  data::UpdateStream stream(pairs, {.batch_tokens = recipe.batch_tokens, .seed = 1}, {});
  for (int step = 0; step < 300; ++step) trainer->update(stream.next().passes);
  return *trainer;
}

std::vector<std::vector<std::uint32_t>> sources_of(const data::SentencePairs& pairs) {
  std::vector<std::vector<std::uint32_t>> sources;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    sources.emplace_back(pairs.source[i].begin(), pairs.source[i].end());
  return sources;
}

TEST_CASE("forced scores of translations are those of the search", "[forced]") {
  auto& trainer = reverser();
  decode::TranslatorSettings settings;
  settings.search.n_best = 4;
  settings.batch_tokens = 512;
  decode::Translator translator(engine(), decode::single_model(trainer.model().seq2seq_view()),
                                settings);
  const auto sources = sources_of(reversals(20, 52));
  const auto answers = translator.translate(sources);
  std::vector<decode::SentencePair> pairs;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    for (const auto& hypothesis : answers[i]) pairs.push_back({sources[i], hypothesis.ids});
  }
  decode::TeacherForcedScorer scorer(engine(), trainer.model().seq2seq_view(),
                                     {kEnd, decode::TeacherForcedScorer::Keeps::kScores});
  const auto scores = scorer.scores(pairs);
  REQUIRE(scores.size() == pairs.size());
  std::size_t next = 0;
  for (const auto& answer : answers) {
    for (const auto& hypothesis : answer) {
      const auto& own = scores[next++];
      REQUIRE(own.size() == hypothesis.of_tokens.size());
      double sum = 0;
      for (std::size_t i = 0; i < own.size(); ++i) {
        CHECK(own[i] == Approx(hypothesis.of_tokens[i]).margin(1e-4));
        sum += own[i];
      }
      CHECK(sum == Approx(hypothesis.log_probability).margin(1e-4));
    }
  }
  // Scores do not depend on the batch, bit for bit.
  for (std::size_t i = 0; i < pairs.size(); i += 7)
    CHECK(scorer.scores(std::span(pairs).subspan(i, 1)).front() == scores[i]);
}

TEST_CASE("attention is a distribution over the attention range of a row", "[forced]") {
  auto& trainer = reverser();
  decode::TeacherForcedScorer scorer(engine(), trainer.model().seq2seq_view(),
                                     {kEnd, decode::TeacherForcedScorer::Keeps::kAttention});
  const auto check = [](const store::AttentionMaps& map, bool causal) {
    for (std::uint32_t head = 0; head < map.heads; ++head) {
      for (std::uint32_t row = 0; row < map.rows; ++row) {
        double sum = 0;
        for (std::uint32_t column = 0; column < map.columns; ++column) {
          sum += map.row(0, head, row)[column];
          if (causal && column > row) CHECK(map.row(0, head, row)[column] == 0);
        }
        CHECK(sum == Approx(1).epsilon(1e-5));
      }
    }
  };
  // The second pair exceeds the capacity of the first pass; the third is short again.
  for (const std::size_t length : {5, 90, 3}) {
    const decode::SentencePair pair{std::vector<std::uint32_t>(length, 4),
                                    std::vector<std::uint32_t>(length - 1, 7)};
    const auto seen = scorer.attention(pair);
    REQUIRE(seen.encoder.layers == 1);
    REQUIRE(seen.decoder.layers == 1);
    REQUIRE(seen.cross.layers == 1);
    CHECK(seen.encoder.rows == length + 1);
    CHECK(seen.cross.rows == length);
    CHECK(seen.cross.columns == length + 1);
    check(seen.encoder, false);
    check(seen.decoder, true);
    check(seen.cross, false);
  }
}

TEST_CASE("a model that reverses attends to the mirrored position", "[forced]") {
  auto& trainer = reverser();
  decode::TeacherForcedScorer scorer(engine(), trainer.model().seq2seq_view(),
                                     {kEnd, decode::TeacherForcedScorer::Keeps::kAttention});
  const auto pairs = reversals(20, 53);
  int right = 0, all = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto source = pairs.source[i], target = pairs.target[i];
    const auto alignment = decode::align(
        scorer.attention({{source.begin(), source.end()}, {target.begin(), target.end()}}), {});
    const auto best = decode::best_sources(alignment);
    REQUIRE(best.size() == target.size());
    for (std::uint32_t token = 0; token < best.size(); ++token) {
      // The same token may also occur elsewhere.
      ++all;
      if (best[token] && source[*best[token]] == target[token]) ++right;
    }
  }
  CHECK(right > all * 0.6);
}

}  // namespace
}  // namespace awend::tests
