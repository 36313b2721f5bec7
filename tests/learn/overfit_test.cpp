// A model that is trained on a single batch overfits: its loss falls to the minimum with label
// smoothing.
#include "tests/catch.hpp"
#include "tests/learn/stage.hpp"
#include "tests/reference/loss.hpp"
#include "train/validation.hpp"

namespace awend::tests {
namespace {

/// The loss of one batch after 400 updates.
double learned_loss(nn::Element precision, const model::Config& config = digit_model()) {
  auto recipe = quick_recipe();
  recipe.precision = precision;
  train::Trainer trainer(engine(), config, recipe);
  const std::vector<batch::PackedBatch> batches = {batch_of(reversals(12, 1), 0, 12)};
  double loss = 0;
  for (int step = 0; step < 400; ++step) {
    const auto update = trainer.update(batches);
    // The loss scale of fp16 is found by overflows.
    REQUIRE((update.applied() || precision == nn::Element::kFloat16));
    loss = update.losses.loss();
  }
  CHECK(trainer.counts().skipped < 20);
  return loss;
}

TEST_CASE("one batch is learned to the floor of label smoothing", "[overfit]") {
  const auto config = digit_model();
  const double floor = reference::smoothing_floor(config.vocabulary, config.label_smoothing);
  CAPTURE(floor);
  const double loss = learned_loss(nn::Element::kFloat32);
  CHECK(loss < floor + 0.02);
  CHECK(loss > floor - 1e-4);
  for (const auto precision : {nn::Element::kBfloat16, nn::Element::kFloat16}) {
    if (engine().computes(precision)) CHECK(learned_loss(precision) == Approx(loss).epsilon(0.01));
  }
}

TEST_CASE("a model with the settings of other toolkits learns one batch", "[overfit]") {
  const auto config = other_toolkits_model();
  const double floor = reference::smoothing_floor(config.vocabulary, config.label_smoothing);
  const double loss = learned_loss(nn::Element::kFloat32, config);
  CHECK(loss < floor + 0.02);
  CHECK(loss > floor - 1e-4);
}

TEST_CASE("without dropout the validation loss is the training loss", "[overfit]") {
  const auto config = GENERATE(digit_model(), other_toolkits_model());
  const auto pairs = reversals(30, 2);
  const auto recipe = quick_recipe();
  train::Trainer trainer(engine(), config, recipe);
  train::Validation validation(engine(), trainer.model().view(), pairs, {recipe.batch_tokens});
  const std::vector<batch::PackedBatch> batches = {batch_of(pairs, 0, 30)};
  for (int step = 0; step < 3; ++step) {
    const auto seen = validation.run();
    const auto trained = trainer.update(batches).losses;
    REQUIRE(seen.tokens == trained.tokens);
    CHECK(seen.smoothed == Approx(trained.smoothed).epsilon(1e-5));
    CHECK(seen.negative_log_likelihood == Approx(trained.negative_log_likelihood).epsilon(1e-5));
  }
}

}  // namespace
}  // namespace awend::tests
