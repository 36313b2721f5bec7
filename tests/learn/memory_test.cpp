// Memory networks learn to find the last value of a key in stories that are not in their training
// data.
#include "data/update_stream.hpp"
#include "decode/teacher_forced_scorer.hpp"
#include "tests/catch.hpp"
#include "tests/learn/digits.hpp"
#include "tests/learn/stage.hpp"
#include "train/translated_validation.hpp"
#include "train/validation.hpp"

namespace awend::tests {
namespace {

/// The percentage of right answers.
double accuracy(const model::Seq2SeqView& view, const data::SentencePairs& pairs) {
  const auto vocabulary = digit_vocabulary("0123456789");
  train::TranslatedValidation answers(engine(), view, {pairs, vocabulary}, {.beam_size = 1});
  return value_of(answers.scores(), train::ValidationMetric::kAccuracy);
}

}  // namespace

TEST_CASE("a memory network learns to find facts, and attends to them", "[memory]") {
  const auto tying = GENERATE(model::HopTying::kAdjacent, model::HopTying::kLayerWise);
  auto config = digit_memory(tying);
  config.memory.noise = 0.05;
  const auto recipe = clipped_recipe();
  train::Trainer trainer(engine(), config, recipe);
  const auto pairs = stories(1000, 31), unseen = stories(200, 32);
  data::UpdateStream stream(pairs, {.batch_tokens = recipe.batch_tokens, .seed = recipe.seed}, {});
  const double before = accuracy(trainer.model().seq2seq_view(), unseen);
  for (int step = 0; step < 500; ++step) trainer.update(stream.next().passes);
  CHECK(before < 50);
  CHECK(accuracy(trainer.model().seq2seq_view(), unseen) > 90);
  decode::TeacherForcedScorer scorer(
      engine(), trainer.model().seq2seq_view(),
      {.end_of_sentence = 1, .keeps = decode::TeacherForcedScorer::Keeps::kAttention});
  const auto attention = scorer.attention({{4, 9, 2, 5, 10, 2, 6, 8, 2, 5, 3}, {10}});
  REQUIRE(attention.sentences);
  REQUIRE(attention.sentences->size() == 4);
  CHECK(attention.sentences->back() == batch::RowRange{});  // the empty memories
  CHECK((*attention.sentences)[1] == batch::RowRange{3, 5});
  REQUIRE(attention.cross.layers == 2);
  REQUIRE(attention.cross.columns == 4);
  double best = 0;
  for (std::uint32_t hop = 0; hop < 2; ++hop) {
    const auto row = attention.cross.row(hop, 0, 0);
    CHECK(row[0] + row[1] + row[2] + row[3] == Approx(1).epsilon(1e-5));
    best = std::max<double>(best, row[1]);
  }
  CHECK(best > 0.5);
}

TEST_CASE("an update of a memory network does not depend on its division into passes", "[memory]") {
  auto config = digit_memory(model::HopTying::kAdjacent);
  config.memory.noise = 0.4;
  const auto pairs = stories(12, 3);
  const std::vector<batch::PackedBatch> whole = {batch_of(pairs, 0, 12)};
  std::vector<batch::PackedBatch> parts = {batch_of(pairs, 0, 5), batch_of(pairs, 5, 12)};
  parts[1].source.first_row = parts[0].source.rows();
  parts[1].target.first_row = parts[0].target_rows();
  train::Trainer one(engine(), config, clipped_recipe()), two(engine(), config, clipped_recipe());
  for (int step = 0; step < 3; ++step) {
    const auto a = one.update(whole), b = two.update(parts);
    CHECK(a.losses.smoothed == Approx(b.losses.smoothed).epsilon(1e-5));
  }
}

TEST_CASE("without noise the validation loss of a memory network is its training loss",
          "[memory]") {
  const auto pairs = stories(20, 2);
  auto config = digit_memory(model::HopTying::kLayerWise);
  config.memory.noise = 0;
  train::Trainer trainer(engine(), config, clipped_recipe());
  train::Validation validation(engine(), trainer.model().view(), pairs, {512});
  const std::vector<batch::PackedBatch> batches = {batch_of(pairs, 0, 20)};
  double first = 0, last = 0;
  for (int step = 0; step < 60; ++step) {
    const auto evaluated = validation.run();
    const auto trained = trainer.update(batches).losses;
    CHECK(evaluated.smoothed == Approx(trained.smoothed).epsilon(1e-5));
    (step == 0 ? first : last) = trained.smoothed;
  }
  CHECK(last < 0.7 * first);
}

}  // namespace awend::tests
