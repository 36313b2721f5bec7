// Training for eight bits: it computes what the processor computes with the exported model, learns,
// and has the same scales of activations on all machines.
#include "decode/stepwise_scorer.hpp"
#include "decode/teacher_forced_scorer.hpp"
#include "model/activation_scales.hpp"
#include "model/checkpoint.hpp"
#include "store/average.hpp"
#include "store/checkpoints.hpp"
#include "store/weights.hpp"
#include "tests/catch.hpp"
#include "tests/learn/stage.hpp"
#include "tests/scratch.hpp"
#include "train/activation_calibration.hpp"

namespace awend::tests {
namespace {

std::vector<float> scores_of(decode::PairScorer& scorer, const data::SentencePairs& pairs) {
  std::vector<decode::SentencePair> lines;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto source = pairs.source[i], target = pairs.target[i];
    lines.push_back({{source.begin(), source.end()}, {target.begin(), target.end()}});
  }
  std::vector<float> all;
  for (const auto& scores : scorer.scores(lines))
    all.insert(all.end(), scores.begin(), scores.end());
  return all;
}

std::vector<float> scores_of(train::TrainedModel& model, const data::SentencePairs& pairs) {
  decode::TeacherForcedScorer scorer(engine(), model.seq2seq_view(),
                                     {.end_of_sentence = pairs.end_of_sentence});
  return scores_of(scorer, pairs);
}

/// As translations are: all products of the processor have 8 bits.
std::vector<float> scores_of(const std::string& checkpoint, const data::SentencePairs& pairs) {
  decode::LoadedModel model(shared_processor(), store::ArrayFile(checkpoint),
                            nn::Element::kFloat32);
  decode::StepwiseScorer scorer(shared_processor(), decode::single_model(model.view()), {});
  return scores_of(scorer, pairs);
}

/// The mean difference, and the share of tokens that differ by less than 1e-5.
struct Difference {
  double mean = 0, equal = 0;
};
Difference difference(const std::vector<float>& a, const std::vector<float>& b) {
  REQUIRE(a.size() == b.size());
  Difference found;
  const auto count = static_cast<double>(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double own = std::abs(a[i] - b[i]);
    found.mean += own / count;
    found.equal += own < 1e-5 ? 1 / count : 0;
  }
  return found;
}

double train(train::TrainedModel& model, const train::Recipe& recipe,
             const data::SentencePairs& pairs, int updates) {
  train::Trainer trainer(engine(), model, recipe, {.pass_rows = recipe.batch_tokens});
  data::UpdateStream stream(pairs, {.batch_tokens = recipe.batch_tokens, .seed = recipe.seed}, {});
  double loss = 0;
  for (int step = 0; step < updates; ++step)
    loss = trainer.update(stream.next().passes).losses.loss();
  return loss;
}

/// Writes a checkpoint with 8-bit weights.
void export_to(const std::string& path, train::TrainedModel& model) {
  const std::string full = path + ".full";
  const auto scales = model::activation_scales_of(model.parameters());
  model::save(full, {model.parameters()}, model.model().config(),
              {{std::string(store::keys::kVocabulary), "a vocabulary"},
               {std::string(store::keys::kActivationScales), scales.to_json()}});
  store::average({&full, 1}, path, {.storage = store::Storage::kInt8});
}

model::Config config_with(model::AutoregressiveLayer layer) {
  auto config = digit_model();
  config.decoder_layers = 2;
  config.transformer.autoregressive_layer = layer;
  return config;
}

}  // namespace

TEST_CASE("training for eight bits computes what the exported model computes") {
  const auto config = config_with(
      GENERATE(model::AutoregressiveLayer::kSelfAttention, model::AutoregressiveLayer::kSsru));
  auto recipe = quick_recipe();
  const auto pairs = reversals(600, 51), unseen = reversals(60, 52);
  train::TrainedModel model(engine(), config, recipe);
  const double before = train(model, recipe, pairs, 60);
  const auto floats = scores_of(model, unseen);

  train::calibrate_activations(engine(), model.view(), pairs, recipe.seed);
  CHECK(model.parameters().fake_quantization() == nn::FakeQuantization::kOff);
  // All matrices but those of embeddings and positions, which no product reads; the table is tied.
  const auto scales = model::activation_scales_of(model.parameters());
  CHECK(scales.entries().size() > 15);
  CHECK(scales.find("embedding").has_value());
  model.parameters().set_fake_quantization(nn::FakeQuantization::kOn);
  recipe.warmup = 1;
  recipe.learning_rate = 0.002;
  recipe.curve = train::Curve::kConstant;
  const double effect = difference(scores_of(model, unseen), floats).mean;
  CHECK(effect > 1e-3);
  CHECK(train(model, recipe, pairs, 60) < before);

  const Scratch scratch;
  export_to(scratch.path("small"), model);
  const auto found = difference(scores_of(model, unseen), scores_of(scratch.path("small"), unseen));
  CAPTURE(effect, found.mean, found.equal);
  // Numbers in the middle of two steps are rounded either way, because sums of floats are rounded
  // and sums of integers are not; all others are the same.  A GPU also rounds exponentials and
  // divisions by several units, and the SSRU passes each difference on to all later tokens.
  const bool on_cpu = engine().on_processor() || engine().limits().on_cpu;
  CHECK(found.equal > (on_cpu ? 0.9 : 0.6));
  CHECK(found.mean < (on_cpu ? 5e-4 : effect / 8));
}

TEST_CASE("scales of activations do not depend on threads, and given ones are kept") {
  const auto config = digit_model();
  const auto recipe = quick_recipe();
  const auto pairs = reversals(3000, 51);
  std::vector<std::string> found;
  for (const unsigned threads : {1U, 3U}) {
    nn::Engine own({.requested = nn::kProcessor, .threads = threads});
    train::TrainedModel model(own, config, recipe);
    train::calibrate_activations(own, model.view(), pairs, recipe.seed);
    found.push_back(model::activation_scales_of(model.parameters()).to_json());
  }
  CHECK(found[0] == found[1]);
  train::TrainedModel model(shared_processor(), config, recipe);
  const std::string name = "encoder.0.self.query";
  model::set_activation_scales(model.parameters(), {{name, 12.5F}});
  train::calibrate_activations(shared_processor(), model.view(), pairs, recipe.seed);
  const auto scales = model::activation_scales_of(model.parameters());
  CHECK(scales.number(name) == 12.5);
  CHECK(scales.entries().size() == store::Settings::from_json(found[0], "scales").entries().size());
}

}  // namespace awend::tests
