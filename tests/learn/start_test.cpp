// Initial weights from another run, extended vocabularies, frozen parameters and moving averages.
#include "base/error.hpp"
#include "model/checkpoint.hpp"
#include "store/stored_settings.hpp"
#include "tests/catch.hpp"
#include "tests/learn/digits.hpp"
#include "tests/learn/stage.hpp"
#include "tests/scratch.hpp"
#include "train/initial_weights.hpp"

namespace awend::tests {
namespace {

using Buffer = nn::Parameters::Buffer;

const base::Report& silent() {
  static const base::Report report("test", base::Verbosity::kQuiet);
  return report;
}

model::Config model_of(const text::Vocabulary& vocabulary) {
  auto config = digit_model();
  config.vocabulary = vocabulary.size();
  return config;
}

TEST_CASE("the average follows its formula, and swapping changes no bit", "[average]") {
  const auto pairs = reversals(20, 41);
  const std::vector batches = {batch_of(pairs, 0, 20)};
  auto recipe = quick_recipe();
  recipe.precision = GENERATE(nn::Element::kFloat32, nn::Element::kBfloat16);
  if (!engine().computes(recipe.precision)) return;
  recipe.ema_decay = 0.9;
  train::Trainer trainer(engine(), digit_model(), recipe);
  recipe.ema_decay = 0;
  train::Trainer plain(engine(), digit_model(), recipe);
  auto expected = flat(trainer.parameters());
  for (int step = 1; step <= 5; ++step) {
    trainer.update(batches);
    plain.update(batches);
    const auto values = flat(trainer.parameters());
    REQUIRE(values == flat(plain.parameters()));  // the average does not influence training
    const double decay = std::min(0.9, (1.0 + step) / (10.0 + step));
    for (std::size_t i = 0; i < values.size(); ++i)
      expected[i] = static_cast<float>(decay * expected[i] + (1 - decay) * values[i]);
    const auto seen = trainer.model().with_average([&] { return flat(trainer.parameters()); });
    for (std::size_t i = 0; i < values.size(); ++i)
      REQUIRE(seen[i] == Approx(expected[i]).margin(1e-6));
    REQUIRE(flat(trainer.parameters()) == values);
    REQUIRE(flat(trainer.parameters(), Buffer::kAverage) == seen);
  }
}

TEST_CASE("an evaluation of the average that throws leaves the weights as they were", "[average]") {
  const auto pairs = reversals(20, 43);
  auto recipe = quick_recipe();
  recipe.ema_decay = 0.9;
  train::Trainer trainer(engine(), digit_model(), recipe);
  for (int step = 0; step < 3; ++step) trainer.update(std::vector{batch_of(pairs, 0, 20)});
  const auto values = flat(trainer.parameters()),
             average = flat(trainer.parameters(), Buffer::kAverage);
  REQUIRE(values != average);
  CHECK(message_of([&] {
          trainer.model().with_average([&]() -> int {
            CHECK(flat(trainer.parameters()) == average);
            throw base::Error("the evaluation failed");
          });
        }) == "the evaluation failed");
  CHECK(flat(trainer.parameters()) == values);
  CHECK(flat(trainer.parameters(), Buffer::kAverage) == average);
}

TEST_CASE("frozen parameters do not change, others do", "[freeze]") {
  const auto pairs = reversals(20, 42);
  auto recipe = quick_recipe();
  recipe.freeze = {"encoder.*", "*.gain"};
  train::Trainer trainer(engine(), digit_model(), recipe);
  auto& parameters = trainer.parameters();
  std::vector<std::vector<float>> before;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    before.push_back(parameters.read(parameters.parameter(i)));
  for (int step = 0; step < 3; ++step) trainer.update(std::vector{batch_of(pairs, 0, 20)});
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto name = parameters.name(i);
    CAPTURE(name);
    const bool frozen = name.starts_with("encoder.") || name.ends_with(".gain");
    CHECK((parameters.read(parameters.parameter(i)) == before[i]) == frozen);
  }
}

TEST_CASE("patterns that freeze nothing or everything are refused", "[freeze]") {
  auto recipe = quick_recipe();
  recipe.freeze = {"encoder.*", "nothing.*"};
  CHECK(message_of([&] { train::TrainedModel(engine(), digit_model(), recipe); }) ==
        "the list of frozen parameters: nothing.* matches no parameter; the first is called "
        "embedding");
  recipe.freeze = {"*"};
  CHECK(message_of([&] { train::TrainedModel(engine(), digit_model(), recipe); }) ==
        "the list of frozen parameters leaves no parameter to train");
}

TEST_CASE("a vocabulary is extended: known pieces keep their rows", "[start]") {
  const Scratch scratch;
  const auto old = digit_vocabulary("0123456789"), grown = digit_vocabulary("x9y8076543");
  const auto recipe = quick_recipe();
  const auto tie = GENERATE(model::Tie::kAll, model::Tie::kNone);
  auto config = model_of(old);
  config.transformer.tie = tie;
  train::TrainedModel first(engine(), config, recipe);
  const auto path = scratch.path("model");
  model::save(path, {first.parameters()}, config,
              {{std::string(store::keys::kVocabulary), old.serialize()}});
  auto other = model_of(grown);
  other.transformer.tie = tie;
  train::TrainedModel second(engine(), other, recipe);
  CHECK(message_of([&] {
          train::load_weights({path, false}, grown, second, silent());
        }) ==
        path +
            ": has another vocabulary; extending the vocabulary loads the pieces that both have");
  train::load_weights({path, true}, grown, second, silent());
  auto &from = first.parameters(), &to = second.parameters();
  train::TrainedModel drawn(engine(), other, recipe);
  for (std::size_t i = 0; i < to.size(); ++i) {
    const auto& parameter = to.parameter(i);
    CAPTURE(to.name(i));
    const auto old_values = from.read(from.parameter(i)), values = to.read(parameter);
    if (!second.model().is_table(parameter)) {
      CHECK(values == old_values);
      continue;
    }
    const auto fresh = drawn.parameters().read(parameter);
    for (std::uint32_t id = 0; id < grown.size(); ++id) {
      const auto partner = old.find(grown.piece(id));
      const auto& expected = partner ? old_values : fresh;
      const std::size_t begin = partner ? *partner : id;
      for (std::size_t column = 0; column < parameter.columns; ++column) {
        REQUIRE(values[id * parameter.columns + column] ==
                expected[begin * parameter.columns + column]);
      }
    }
  }
}

}  // namespace
}  // namespace awend::tests
