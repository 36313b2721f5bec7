// Recurrent networks learn to reverse sequences of digits that are not in their training data.
// Here and in other files, cases with the tag [processor] learn only there, for time:
// gradient_test.cpp compares the gradients of other devices with those of the processor, and
// properties their translations.

#include "data/update_stream.hpp"
#include "decode/alignment.hpp"
#include "decode/teacher_forced_scorer.hpp"
#include "tests/catch.hpp"
#include "tests/learn/digits.hpp"
#include "tests/learn/stage.hpp"
#include "train/translated_validation.hpp"
#include "train/validation.hpp"

namespace awend::tests {
namespace {

using model::RnnAttention;

/// Trains, and returns the BLEU of greedy translations of unseen digits.
double learned_bleu(train::Trainer& trainer, int steps) {
  const auto pairs = reversals(3000, 11), unseen = reversals(100, 12);
  const auto recipe = clipped_recipe();
  const auto vocabulary = digit_vocabulary("0123456789");
  train::TranslatedValidation greedy(engine(), trainer.model().seq2seq_view(), {unseen, vocabulary},
                                     {.beam_size = 1});
  data::UpdateStream stream(pairs, {.batch_tokens = recipe.batch_tokens, .seed = recipe.seed}, {});
  for (int step = 0; step < steps; ++step) trainer.update(stream.next().passes);
  return value_of(greedy.scores(), train::ValidationMetric::kBleu);
}

}  // namespace

TEST_CASE("recurrent networks with attention learn reversal, and attend to the mirrored token",
          "[rnn]") {
  train::Trainer trainer(engine(), digit_rnn(nn::Cell::kGru, RnnAttention::kAdditive),
                         clipped_recipe());
  CHECK(learned_bleu(trainer, 300) > 80);
  decode::TeacherForcedScorer scorer(
      engine(), trainer.model().seq2seq_view(),
      {.end_of_sentence = 1, .keeps = decode::TeacherForcedScorer::Keeps::kAttention});
  const auto pairs = reversals(20, 53);
  int right = 0, all = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto source = pairs.source[i], target = pairs.target[i];
    const auto best = decode::best_sources(decode::align(
        scorer.attention({{source.begin(), source.end()}, {target.begin(), target.end()}}), {}));
    for (std::uint32_t token = 0; token < best.size(); ++token) {
      ++all;
      if (best[token] && source[*best[token]] == target[token]) ++right;
    }
  }
  CHECK(right > all * 0.6);
}

TEST_CASE("recurrent networks with input feeding learn reversal", "[rnn][processor]") {
  auto config = digit_rnn(nn::Cell::kLstm, RnnAttention::kGeneral);
  config.rnn.input_feeding = model::Switch::kOn;
  train::Trainer trainer(engine(), config, clipped_recipe());
  CHECK(learned_bleu(trainer, 300) > 80);
}

TEST_CASE("recurrent networks with local attention learn reversal by predicting positions",
          "[rnn][processor]") {
  auto config = digit_rnn(nn::Cell::kGru, RnnAttention::kGeneral);
  config.rnn.attention_span = model::AttentionSpan::kPredictive;
  config.rnn.local_window = 2;
  train::Trainer trainer(engine(), config, clipped_recipe());
  CHECK(learned_bleu(trainer, 300) > 80);
}

TEST_CASE("recurrent networks without attention learn, more slowly", "[rnn][processor]") {
  auto config = digit_rnn(nn::Cell::kLstm, RnnAttention::kNone);
  config.d_model = 64;
  config.rnn.bidirectional = model::Bidirectional::kNone;
  config.rnn.bridge = model::Bridge::kCopy;
  train::Trainer trainer(engine(), config, clipped_recipe());
  CHECK(learned_bleu(trainer, 400) > 40);
}

TEST_CASE("recurrent networks with a summary in each step learn, more slowly", "[rnn][processor]") {
  auto config = digit_rnn(nn::Cell::kGru, RnnAttention::kNone);
  config.d_model = 64;
  config.rnn.bidirectional = model::Bidirectional::kNone;
  config.rnn.context_feeding = model::Switch::kOn;
  config.rnn.readout = model::Readout::kMaxout;
  config.rnn.d_readout = 32;
  train::Trainer trainer(engine(), config, clipped_recipe());
  CHECK(learned_bleu(trainer, 400) > 40);
}

TEST_CASE("an update of a recurrent network does not depend on its division into passes", "[rnn]") {
  for (const auto variational : {model::Switch::kOff, model::Switch::kOn}) {
    auto config = digit_rnn(nn::Cell::kLstm, RnnAttention::kDot);
    config.encoder_layers = config.decoder_layers = 2;
    config.rnn.bidirectional = model::Bidirectional::kNone;
    config.rnn.input_feeding = model::Switch::kOn;
    config.rnn.variational_dropout = variational;
    config.dropout = 0.3;
    const auto pairs = reversals(12, 3);
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
}

TEST_CASE("without dropout the validation loss of a recurrent network is its training loss",
          "[rnn]") {
  const auto pairs = reversals(30, 2);
  const auto recipe = clipped_recipe();
  for (const auto precision : {nn::Element::kFloat32, nn::Element::kBfloat16}) {
    if (!engine().computes(precision)) continue;
    auto own = recipe;
    own.precision = precision;
    train::Trainer trainer(engine(), digit_rnn(nn::Cell::kGru, RnnAttention::kAdditive), own);
    train::Validation validation(engine(), trainer.model().view(), pairs, {recipe.batch_tokens});
    const std::vector<batch::PackedBatch> batches = {batch_of(pairs, 0, 30)};
    double first = 0, last = 0;
    for (int step = 0; step < 60; ++step) {
      const auto evaluated = validation.run();
      const auto trained = trainer.update(batches).losses;
      CHECK(evaluated.smoothed == Approx(trained.smoothed).epsilon(1e-5));
      (step == 0 ? first : last) = trained.smoothed;
    }
    CHECK(last < 0.7 * first);
  }
}

TEST_CASE("a pass that knows the longest sentence has the same loss, and refuses a longer one",
          "[rnn]") {
  train::TrainedModel model(engine(), digit_rnn(nn::Cell::kGru, RnnAttention::kAdditive),
                            clipped_recipe());
  const auto pairs = reversals(10, 6);  // up to seven digits and the end
  const auto batch = batch_of(pairs, 0, 10);
  const auto loss = [&](std::uint32_t longest) {
    forward::Pass pass(engine(), model.view(), {.rows = 128, .longest = longest});
    pass.compile();
    pass.write(batch);
    pass.replay();
    return pass.losses().smoothed;
  };
  const double expected = loss(0);
  CHECK(expected > 0);
  CHECK(loss(8) == expected);
  CHECK_THROWS_WITH(loss(5), "a sentence has 8 tokens; the model processes at most 5");
}

}  // namespace awend::tests
