// An update does not depend on the number of passes, which is chosen by memory.
#include "train/pass_rows.hpp"

#include <cmath>

#include "base/error.hpp"
#include "data/update_stream.hpp"
#include "tests/catch.hpp"
#include "tests/largest.hpp"
#include "tests/learn/stage.hpp"
#include "tests/scratch.hpp"

namespace awend::tests {
namespace {

using Buffer = nn::Parameters::Buffer;

/// With every kind of dropout.
model::Config dropping_model() {
  auto config = digit_model();
  config.transformer.positions = model::Positions::kLearned;
  config.dropout = 0.3;
  config.transformer.attention_dropout = 0.2;
  config.transformer.relu_dropout = 0.1;
  config.transformer.guided_alignment_layer = 1;
  return config;
}

/// A model after some updates on the digits.
class Run {
 public:
  Run(const data::SentencePairs& pairs, const train::Recipe& recipe, std::uint32_t pass_rows)
      : model_(engine(), dropping_model(), recipe),
        trainer_(engine(), model_, recipe,
                 {.pass_rows = pass_rows, .has_alignments = pairs.alignments.has_value()}),
        updates_(pairs, {.batch_tokens = recipe.batch_tokens, .seed = recipe.seed},
                 {.batches = recipe.accumulate, .pass_rows = pass_rows}) {}

  std::size_t step() {
    const auto update = updates_.next();
    last_ = trainer_.update(update.passes);
    return update.passes.size();
  }
  const train::Update& last() const { return last_; }
  nn::Parameters& parameters() { return model_.parameters(); }

 private:
  train::TrainedModel model_;
  train::Trainer trainer_;
  data::UpdateStream updates_;
  train::Update last_;
};

/// The largest difference, relative to the largest value.
double difference(const std::vector<float>& a, const std::vector<float>& b) {
  double largest = 0, apart = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(double{a[i]}));
    apart = larger(apart, std::abs(double{a[i]} - b[i]));
  }
  return apart / largest;
}

TEST_CASE("one pass or eight give the same update, also with dropout", "[passes]") {
  const auto pairs = GENERATE(reversals(300, 31), aligned_reversals(300, 31));
  auto recipe = quick_recipe();
  recipe.accumulate = 2;
  Run one(pairs, recipe, 2 * recipe.batch_tokens), eight(pairs, recipe, 64);
  CHECK(one.step() == 1);
  CHECK(eight.step() >= 8);
  CHECK(one.last().losses.tokens == eight.last().losses.tokens);
  CHECK(one.last().losses.smoothed == Approx(eight.last().losses.smoothed).epsilon(1e-5));
  CHECK(one.last().losses.of_alignments == Approx(eight.last().losses.of_alignments).epsilon(1e-5));
  CHECK((one.last().losses.of_alignments > 0) == pairs.alignments.has_value());
  CHECK(one.last().gradient_norm == Approx(eight.last().gradient_norm).epsilon(1e-5));
  // The first moment is a tenth of the gradient.
  CHECK(difference(flat(one.parameters(), Buffer::kMoment1),
                   flat(eight.parameters(), Buffer::kMoment1)) < 1e-5);
  for (int step = 0; step < 3; ++step) {
    one.step();
    eight.step();
  }
  CHECK(one.last().losses.smoothed == Approx(eight.last().losses.smoothed).epsilon(1e-5));
}

std::unique_ptr<forward::Pass> training_pass(train::TrainedModel& model, std::uint32_t rows) {
  return std::make_unique<forward::Pass>(
      engine(), model.view(), forward::PassSettings{.rows = rows, .mode = nn::Mode::kTraining});
}

TEST_CASE("passes are as large as the memory allows", "[passes]") {
  train::TrainedModel model(engine(), digit_model(), quick_recipe());
  const auto bytes = [&](std::uint32_t rows) {
    return engine().allocated_bytes() + training_pass(model, rows)->plan();
  };
  const auto rows_in = [&](std::uint64_t budget_bytes) {
    return train::rows_that_fit(engine(), model.view(),
                                {.min_rows = 20, .max_rows = 1000, .budget_bytes = budget_bytes});
  };
  CHECK(rows_in(0) == 1000);
  CHECK(rows_in(bytes(1000)) == 1000);
  CHECK(rows_in(bytes(1000) - 1) == 500);
  CHECK(rows_in(bytes(334)) == 334);
  CHECK(rows_in(bytes(20)) == 20);
  // Processes share the memory of a machine.
  CHECK(message_of([&] {
          train::rows_that_fit(engine(), model.view(),
                               {.min_rows = 20, .max_rows = 1000, .sharers = 4'000'000'000});
        }).find("longest sentence of 20 tokens") != std::string::npos);
  const auto rows_of_share = [&](std::uint64_t sharers) {
    return train::rows_that_fit(
        engine(), model.view(),
        {.min_rows = 20, .max_rows = 1000, .sharers = static_cast<std::uint32_t>(sharers)});
  };
  const auto max_sharers = engine().usable_bytes() / bytes(500);
  REQUIRE(max_sharers > 1);
  CHECK(rows_of_share(max_sharers) == 500);
  CHECK(rows_of_share(max_sharers + 1) < 500);
  CHECK(message_of([&] { rows_in(bytes(20) - 1); }).find("longest sentence of 20 tokens") !=
        std::string::npos);
}

TEST_CASE("a pass allocates the planned memory", "[passes]") {
  train::TrainedModel model(engine(), digit_model(), quick_recipe());
  const auto before = engine().allocated_bytes();
  const auto planned = training_pass(model, 300)->plan();
  CHECK(engine().allocated_bytes() == before);
  const auto pass = training_pass(model, 300);
  pass->compile();
  CHECK(engine().allocated_bytes() == before + planned);
}

}  // namespace
}  // namespace awend::tests
