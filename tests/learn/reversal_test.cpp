// A tiny model learns to reverse sequences of digits that are not in its training data.
#include "data/update_stream.hpp"
#include "tests/catch.hpp"
#include "tests/learn/digits.hpp"
#include "tests/learn/stage.hpp"
#include "train/translated_validation.hpp"
#include "train/validation.hpp"

namespace awend::tests {
namespace {

double bleu_of(train::ScoredValidation& validation) {
  return value_of(validation.scores(), train::ValidationMetric::kBleu);
}

TEST_CASE("reversal of digits generalizes", "[reversal][processor]") {
  auto config = digit_model();
  config.transformer.autoregressive_layer =
      GENERATE(model::AutoregressiveLayer::kSelfAttention, model::AutoregressiveLayer::kSsru);
  const auto pairs = reversals(3000, 11), unseen = reversals(100, 12);
  auto recipe = quick_recipe();
  recipe.learning_rate = 0.005;
  recipe.warmup = 100;
  recipe.batch_tokens = 512;
  train::Trainer trainer(engine(), config, recipe);
  train::Validation validation(engine(), trainer.model().view(), unseen, {recipe.batch_tokens});
  const auto vocabulary = digit_vocabulary("0123456789");
  train::TranslatedValidation greedy(engine(), trainer.model().seq2seq_view(), {unseen, vocabulary},
                                     {.beam_size = 1}),
      beam(engine(), trainer.model().seq2seq_view(), {unseen, vocabulary}, {.beam_size = 4});
  CHECK(validation.run().perplexity() > 8);  // of 12 tokens, before training
  CHECK(bleu_of(greedy) < 20);
  data::UpdateStream stream(pairs, {.batch_tokens = recipe.batch_tokens, .seed = recipe.seed}, {});
  for (int step = 0; step < 300; ++step) trainer.update(stream.next().passes);
  // Label smoothing keeps it above 1 / 0.9.
  CHECK(validation.run().perplexity() < 1.2);
  // The translators use the current weights, repeatably.
  const double bleu = bleu_of(greedy);
  CHECK(bleu > 80);
  CHECK(bleu_of(greedy) == bleu);
  CHECK(bleu_of(beam) > 80);
}

}  // namespace
}  // namespace awend::tests
