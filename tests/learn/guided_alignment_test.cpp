// The head that guided alignment trains attends to the linked tokens of lines that are not in its
// training data, and the cost of a sentence does not depend on others.
#include "data/update_stream.hpp"
#include "decode/alignment.hpp"
#include "decode/teacher_forced_scorer.hpp"
#include "tests/catch.hpp"
#include "tests/learn/stage.hpp"

namespace awend::tests {
namespace {

/// The share of target tokens whose source token is found, by the first head or by `layer`.
double accuracy(train::TrainedModel& model, const data::SentencePairs& pairs,
                const decode::AlignmentSettings& settings) {
  decode::TeacherForcedScorer scorer(engine(), model.seq2seq_view(),
                                     {.end_of_sentence = pairs.end_of_sentence,
                                      .keeps = decode::TeacherForcedScorer::Keeps::kAttention});
  std::size_t tokens = 0, found = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto source = pairs.source[i], target = pairs.target[i];
    const auto best = decode::best_sources(decode::align(
        scorer.attention({{source.begin(), source.end()}, {target.begin(), target.end()}}),
        settings));
    for (std::size_t row = 0; row < best.size(); ++row, ++tokens)
      found += best[row] == best.size() - 1 - row ? 1 : 0;
  }
  return static_cast<double>(found) / static_cast<double>(tokens);
}

TEST_CASE("a guided head learns the alignment", "[alignment][processor]") {
  auto config = digit_model();
  config.decoder_layers = 2;
  config.transformer.guided_alignment_layer = 1;
  const auto pairs = aligned_reversals(1000, 41), unseen = reversals(50, 42);
  auto recipe = quick_recipe();
  recipe.warmup = 50;
  recipe.batch_tokens = 512;
  // The squared error has smaller gradients.
  recipe.guided_alignment =
      GENERATE(nn::GuidedAlignment{.cost = nn::AlignmentCost::kCrossEntropy, .weight = 1},
               nn::GuidedAlignment{.cost = nn::AlignmentCost::kSquaredError, .weight = 5});
  train::TrainedModel model(engine(), config, recipe);
  train::Trainer trainer(engine(), model, recipe, {.pass_rows = 512, .has_alignments = true});
  CHECK(accuracy(model, unseen, {}) < 0.5);
  data::UpdateStream stream(pairs, {.batch_tokens = recipe.batch_tokens, .seed = recipe.seed}, {});
  double first = 0, last = 0;
  for (int step = 0; step < 150; ++step) {
    const auto update = trainer.update(stream.next().passes);
    last = update.losses.of_alignments / static_cast<double>(update.losses.tokens);
    if (step == 0) first = last;
  }
  CHECK(last < first / 2);
  CHECK(accuracy(model, unseen, {}) > 0.95);
}

TEST_CASE("the cost of a sentence does not depend on others", "[alignment]") {
  auto config = digit_model();
  config.transformer.guided_alignment_layer = 1;
  const auto recipe = quick_recipe();
  data::SentencePairs one;
  const std::vector<std::uint32_t> source = {2, 3, 4, 5}, target = {5, 4, 3};
  const std::vector<std::uint32_t> links = {0, 2, 1, 1, 3, 0};
  one.source.add(source);
  one.target.add(target);
  data::SentencePairs both = one;
  one.alignments.emplace().add(links);
  both.source.add(std::vector<std::uint32_t>{7, 8});
  both.target.add(std::vector<std::uint32_t>{8, 9});
  both.alignments.emplace().add(links);
  both.alignments->add(std::vector<std::uint32_t>{});
  const auto cost = [&](const data::SentencePairs& pairs) {
    train::TrainedModel model(engine(), config, recipe);
    train::Trainer trainer(engine(), model, recipe, {.pass_rows = 64, .has_alignments = true});
    return trainer.update({batch_of(pairs, 0, static_cast<std::uint32_t>(pairs.size()))})
        .losses.of_alignments;
  };
  const double alone = cost(one);
  CHECK(alone > 0);
  CHECK(cost(both) == alone);  // the other sentence has no links
}

}  // namespace
}  // namespace awend::tests
