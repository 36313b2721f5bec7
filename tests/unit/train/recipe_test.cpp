// Presets against the paper, and the settings that a resumed run must not change.
#include "train/recipe.hpp"

#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace awend::train {
namespace {

TEST_CASE("base and big are the paper's", "[recipe]") {
  for (const std::string name : {"base", "big"}) {
    CAPTURE(name);
    const Preset chosen = preset(name);
    CHECK(chosen.recipe.learning_rate == 0);
    CHECK(chosen.recipe.warmup == 4000);
    CHECK(chosen.recipe.adam.beta1 == 0.9);
    CHECK(chosen.recipe.adam.beta2 == 0.98);
    CHECK(chosen.recipe.adam.epsilon == 1e-9);
    CHECK(chosen.recipe.clip_norm == 0);
    CHECK(chosen.recipe.batch_tokens == 25000);
    CHECK(chosen.model.label_smoothing == 0.1);
  }
  CHECK(preset("base").limits.max_steps == 100000);
  CHECK(preset("base").model.dropout == 0.1);
  CHECK(preset("big").limits.max_steps == 300000);
  CHECK(preset("big").model.dropout == 0.3);
}

TEST_CASE("small and tiny have their shapes and a few thousand steps", "[recipe]") {
  const model::Config small = preset("small").model, tiny = preset("tiny").model;
  CHECK(std::vector{small.d_model, small.transformer.d_ff, small.transformer.heads,
                    small.encoder_layers,
                    small.decoder_layers} == std::vector<std::uint32_t>{256, 1024, 4, 3, 3});
  CHECK(std::vector{tiny.d_model, tiny.transformer.d_ff, tiny.transformer.heads,
                    tiny.encoder_layers,
                    tiny.decoder_layers} == std::vector<std::uint32_t>{128, 256, 4, 4, 4});
  for (const auto& config : {small, tiny}) {
    CHECK(config.transformer.norm == model::Norm::kPre);
    CHECK(config.transformer.d_k * config.transformer.heads == config.d_model);
  }
  for (const std::string name : {"small", "tiny"}) {
    CHECK(preset(name).limits.max_steps <= 10000);
    CHECK(preset(name).recipe.learning_rate > 0);
  }
}

TEST_CASE("recurrent networks clip gradients", "[recipe]") {
  for (const std::string name : {"sutskever", "luong", "gnmt"})
    CHECK(preset(name).recipe.clip_norm == 5);
  for (const std::string name : {"cho", "bahdanau", "rnn-small", "rnn-tiny"})
    CHECK(preset(name).recipe.clip_norm == 1);
  CHECK(preset("rnn-tiny").limits.max_steps <= 10000);
  CHECK(preset(model::default_preset("rnn")).model.architecture == "rnn");
  CHECK(model::default_preset("transformer") == "base");
}

TEST_CASE("memory networks train by the recipe of their paper", "[recipe]") {
  for (const std::string name : {"memory-3hop", "memory-joint"}) {
    const auto made = preset(name);
    CHECK(made.model.architecture == "memory");
    CHECK(made.model.memory.hops == 3);
    CHECK(made.recipe.optimizer == Optimizer::kSgd);
    CHECK(made.recipe.batch_sentences == 32);
    CHECK(made.recipe.learning_rate == Approx(0.32));
    CHECK(made.recipe.curve == Curve::kHalving);
    CHECK(made.limits.valid_beam == 1);  // the accuracy of answers
    CHECK(made.limits.best_metric == ValidationMetric::kAccuracy);
    const auto linear = made.model.memory.linear_start;
    CHECK(linear > 0);
    CHECK(made.limits.max_steps == linear + 4 * made.recipe.schedule_steps);
  }
  CHECK(preset("memory-3hop").recipe.clip_norm == Approx(0.4));
  CHECK(preset("memory-joint").recipe.clip_norm == Approx(0.625));
  CHECK(preset("base").recipe.optimizer == Optimizer::kAdam);
  CHECK_FALSE(to_settings(preset("base").recipe).find("optimizer"));
}

TEST_CASE("BERT is initialized and decays as in its code", "[recipe]") {
  for (const std::string name : {"bert-base", "bert-tiny"}) {
    const auto settings = to_settings(preset(name).recipe);
    CHECK(settings.find("weight-decay") == "0.01");
    CHECK(settings.find("weight-decay-of") == "matrices");
    CHECK(settings.find("initializer") == "truncated-normal");
    CHECK(preset(name).recipe.initializer.deviation == 0.02);
  }
  // Checkpoints of others do not have these settings.
  for (const std::string name : {"base", "tiny", "rnn-tiny", "memory-3hop"}) {
    const auto settings = to_settings(preset(name).recipe);
    for (const auto added : {"weight-decay-of", "initializer", "initializer-deviation"})
      CHECK_FALSE(settings.find(added));
  }
}

TEST_CASE("a run resumes with the values of settings that did not exist when it began",
          "[recipe]") {
  const auto now = preset("bert-tiny").recipe;
  auto before = now;
  before.adam.weight_decay.of = nn::WeightDecayOf::kAll;
  before.initializer = {};
  const auto then = to_settings(before);
  CHECK(to_settings(resumed(now, then, {})).to_json() == then.to_json());
  // Not if the user asks for the new ones, and a new run keeps what it has.
  const auto asked = resumed(now, then, {"weight-decay-of"});
  CHECK(asked.adam.weight_decay.of == nn::WeightDecayOf::kMatrices);
  CHECK(asked.initializer.weights == nn::RandomWeights::kByParameter);
  CHECK(tests::message_of([&] { require_same(then, to_settings(asked), "state"); }) ==
        "state: was trained with weight-decay-of all, which is now matrices; resume with the old "
        "value, or start a new run from these weights in another directory");
  CHECK(to_settings(resumed(now, to_settings(now), {})).to_json() == to_settings(now).to_json());
  auto other = now;
  other.warmup = 7;
  CHECK(resumed(other, then, {}).warmup == 7);
}

TEST_CASE("there is no other preset", "[recipe]") {
  CHECK(tests::message_of([] { preset("huge"); }).find("huge") != std::string::npos);
}

TEST_CASE("a recipe that changed is refused by the option's name", "[recipe]") {
  const Recipe before;
  CHECK_NOTHROW(require_same(to_settings(before), to_settings(before), "state"));
  const auto refusal = [&](const Recipe& now) {
    return tests::message_of([&] { require_same(to_settings(before), to_settings(now), "state"); });
  };
  Recipe now;
  now.batch_tokens = 4096;
  CHECK(refusal(now).starts_with("state: was trained with batch-tokens 25000, which is now 4096;"));
  now = {};
  now.accumulate = 2;
  CHECK(refusal(now).starts_with("state: was trained with accumulate 1, which is now 2;"));
  now = {};
  now.adam.epsilon = 1e-8;
  CHECK(
      refusal(now).starts_with("state: was trained with adam-epsilon 1e-09, which is now 1e-08;"));
  now = {};
  now.seed = 0xffffffffffffffff;
  CHECK(refusal(now).starts_with(
      "state: was trained with seed 1, which is now 18446744073709551615;"));
}

TEST_CASE("a setting that the past does not know is refused too", "[recipe]") {
  store::Settings then;
  CHECK(tests::message_of([&] {
          require_same(then, to_settings(Recipe{}), "state");
        }).starts_with("state: was trained with learning-rate unset, which is now 0;"));
}

}  // namespace
}  // namespace awend::train
