// One update: accumulated gradients, learning rate, dropout by step, and gradients that are not
// finite.
#include <cmath>

#include "base/error.hpp"
#include "tests/catch.hpp"
#include "tests/largest.hpp"
#include "tests/learn/stage.hpp"

namespace awend::tests {
namespace {

using Buffer = nn::Parameters::Buffer;

TEST_CASE("two halves of a batch give the update of the whole", "[update]") {
  const auto pairs = reversals(20, 3);
  auto recipe = quick_recipe();
  train::Trainer whole(engine(), digit_model(), recipe);
  recipe.accumulate = 2;
  train::Trainer halves(engine(), digit_model(), recipe);
  const auto one = whole.update(std::vector{batch_of(pairs, 0, 20)});
  const auto two = halves.update(std::vector{batch_of(pairs, 0, 7), batch_of(pairs, 7, 20)});
  CHECK(one.losses.tokens == two.losses.tokens);
  CHECK(one.losses.smoothed == Approx(two.losses.smoothed).epsilon(1e-5));
  CHECK(one.gradient_norm == Approx(two.gradient_norm).epsilon(1e-4));
  // The first moment is a tenth of the gradient.
  const auto m1 = flat(whole.parameters(), Buffer::kMoment1),
             m2 = flat(halves.parameters(), Buffer::kMoment1);
  double largest = 0, difference = 0;
  for (std::size_t i = 0; i < m1.size(); ++i) {
    largest = larger(largest, std::abs(double{m1[i]}));
    difference = larger(difference, std::abs(double{m1[i]} - m2[i]));
  }
  CHECK(largest > 0);
  CHECK(difference < 1e-4 * largest);
}

TEST_CASE("the first update changes each value by at most the rate", "[update]") {
  const auto pairs = reversals(20, 4);
  train::Trainer trainer(engine(), digit_model(), quick_recipe());
  const auto before = flat(trainer.parameters());
  const auto update = trainer.update(std::vector{batch_of(pairs, 0, 20)});
  const auto after = flat(trainer.parameters());
  CHECK(update.rate == Approx(0.01 / 20));
  double largest = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    largest = larger(largest, std::abs(double{after[i]} - before[i]));
  }
  // Adam's first step is the rate times the gradient's sign.
  CHECK(largest == Approx(update.rate).epsilon(0.01));
}

TEST_CASE("dropout follows the seed and the step", "[update]") {
  const auto pairs = reversals(20, 5);
  const std::vector batches = {batch_of(pairs, 0, 20)};
  auto config = digit_model();
  config.dropout = 0.3;
  auto recipe = quick_recipe();
  recipe.learning_rate = 1e-12;  // only the masks change, not the model
  train::Trainer trainer(engine(), config, recipe), twin(engine(), config, recipe);
  const double first = trainer.update(batches).losses.smoothed;
  const double second = trainer.update(batches).losses.smoothed;
  CHECK(first != second);
  CHECK(twin.update(batches).losses.smoothed == first);
  CHECK(twin.update(batches).losses.smoothed == second);
}

TEST_CASE("a gradient that is not finite changes nothing, and the next update is correct",
          "[update]") {
  const auto pairs = reversals(20, 6);
  const std::vector batches = {batch_of(pairs, 0, 20)};
  train::Trainer trainer(engine(), digit_model(), quick_recipe()),
      twin(engine(), digit_model(), quick_recipe());
  const auto sound = flat(trainer.parameters());
  auto broken = sound;
  broken[40] = std::nanf("");
  set_flat(trainer.parameters(), broken);
  const auto update = trainer.update(batches);
  CHECK_FALSE(update.applied());
  CHECK(trainer.counts().step == 1);
  CHECK(trainer.counts().skipped == 1);
  CHECK(trainer.counts().skipped_in_row == 1);
  for (const auto buffer : {Buffer::kGradients, Buffer::kMoment1, Buffer::kMoment2}) {
    for (const float value : flat(trainer.parameters(), buffer)) REQUIRE(value == 0);
  }
  set_flat(trainer.parameters(), sound);
  const auto next = trainer.update(batches), same = twin.update(batches);
  CHECK(next.applied());
  CHECK(next.losses.smoothed == same.losses.smoothed);
  CHECK(next.gradient_norm == same.gradient_norm);
  CHECK(trainer.counts().skipped_in_row == 0);
  CHECK(trainer.counts().skipped == 1);
  CHECK(flat(trainer.parameters(), Buffer::kMoment2) == flat(twin.parameters(), Buffer::kMoment2));
}

TEST_CASE("clipping shortens the gradient that Adam sees", "[update]") {
  const auto pairs = reversals(20, 7);
  const std::vector batches = {batch_of(pairs, 0, 20)};
  auto recipe = quick_recipe();
  train::Trainer free(engine(), digit_model(), recipe);
  const double norm = free.update(batches).gradient_norm;
  recipe.clip_norm = norm / 4;
  train::Trainer clipped(engine(), digit_model(), recipe);
  CHECK(clipped.update(batches).gradient_norm == Approx(norm));  // as it was before
  const auto m1 = flat(free.parameters(), Buffer::kMoment1),
             m2 = flat(clipped.parameters(), Buffer::kMoment1);
  double sum1 = 0, sum2 = 0;
  for (std::size_t i = 0; i < m1.size(); ++i) {
    sum1 += double{m1[i]} * m1[i];
    sum2 += double{m2[i]} * m2[i];
  }
  CHECK(std::sqrt(sum2 / sum1) == Approx(0.25).epsilon(1e-4));
}

TEST_CASE("a batch beyond the capacity is refused", "[update]") {
  const auto pairs = reversals(200, 8);
  train::Trainer trainer(engine(), digit_model(), quick_recipe());
  CHECK_THROWS_AS(trainer.update(std::vector{batch_of(pairs, 0, 200)}), base::Error);
}

}  // namespace
}  // namespace awend::tests
