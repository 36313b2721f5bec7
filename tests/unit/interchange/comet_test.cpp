#include "interchange/comet.hpp"

#include <cmath>

#include "model/weight_layout.hpp"
#include "tests/catch.hpp"
#include "tests/fuzz/comet_files.hpp"
#include "tests/scratch.hpp"

namespace {

using namespace awend;
using namespace awend::tests;
using model::MetricActivation;
using model::MetricInputs;
using model::MetricKind;
using model::MetricPooling;
using model::Switch;

/// The small metric with `before` replaced in a file.
CometContents changed(const std::string& file, const std::string& before, const std::string& after,
                      CometContents contents = comet_contents()) {
  auto& text = contents.at(file);
  const auto at = text.find(before);
  REQUIRE(at != text.npos);
  text.replace(at, before.size(), after);
  return contents;
}

std::string refusal_of(const CometContents& contents) {
  return message_of([&] { tests::read_comet(contents); });
}

std::string refused_settings(const std::string& before, const std::string& after) {
  return refusal_of(changed("hparams.yaml", before, after));
}

TEST_CASE("a metric of COMET has the settings of hparams.yaml and of its encoder") {
  const auto model = tests::read_comet(comet_contents());
  const auto& bert = model.config.bert;
  CHECK(model.config.architecture == "bert");
  CHECK(model.config.max_positions == 10);
  CHECK(model.config.transformer.norm_epsilon == 1e-5);
  CHECK(bert.segments == 1);
  CHECK(bert.first_position == 2);
  CHECK(bert.metric.kind == MetricKind::kReference);
  CHECK(bert.metric.pooling == MetricPooling::kMean);
  CHECK(bert.metric.layer_norm == Switch::kOff);
  CHECK(bert.metric.activation == MetricActivation::kTanh);
  CHECK(bert.metric.final_activation == MetricActivation::kNone);
  CHECK(bert.metric.hidden == std::vector<std::uint32_t>{3, 2});
  CHECK(model.weights.size() == model::weights_of(model.config).size());
  // (outputs, inputs) there, a column of all outputs of each input here.
  CHECK(model.weights.at("estimator.1") == std::vector<float>{0, 3, 1, 4, 2, 5});
  CHECK(model.weights.at("estimator.1_bias") == std::vector<float>{0.5f, 1.5f});
}

TEST_CASE("the settings of a metric are stored in a checkpoint") {
  auto config = tests::read_comet(comet_contents("unified_metric")).config;
  config.bert.metric.inputs = MetricInputs::kBoth;
  const auto again = model::from_settings(model::to_settings(config), "x");
  CHECK(model::to_settings(again).entries() == model::to_settings(config).entries());
  CHECK(again.bert.metric.kind == MetricKind::kJoint);
  CHECK(again.bert.metric.inputs == MetricInputs::kBoth);
  CHECK(again.bert.metric.hidden == config.bert.metric.hidden);
  CHECK(again.bert.first_position == 2);
}

TEST_CASE("pieces follow the special tokens of XLM-R") {
  const auto vocabulary = tests::read_comet(comet_contents()).vocabulary.value();
  const std::vector<std::string_view> expected = {"<s>", "<pad>", "</s>", "<unk>", "▁a", "b"};
  for (std::uint32_t id = 0; id < expected.size(); ++id)
    CHECK(vocabulary.piece(id) == expected[id]);
  CHECK(vocabulary.piece(9) == "<mask>");
  CHECK(vocabulary.unknown() == 3);
  CHECK(vocabulary.end_of_sentence() == 2);
}

TEST_CASE("layers are mixed by softmax or sparsemax, times gamma") {
  const auto mix_of = [](const std::string& transformation) {
    const auto contents = changed("hparams.yaml", "sparsemax", transformation);
    return tests::read_comet(contents).weights.at("mix");
  };
  // gamma is 3, and the parameters are 0 and 0.5.
  const auto share = static_cast<float>(3 / (1 + std::exp(0.5)));
  CHECK(mix_of("sparsemax") == std::vector<float>{0.75f, 2.25f});
  CHECK(mix_of("softmax") == std::vector<float>{share, 3 - share});
  CHECK(mix_of("sparsemax_patch") == mix_of("softmax"));
  CHECK(tests::read_comet(changed("hparams.yaml", "layer: mix", "layer: 0")).weights.at("mix") ==
        std::vector<float>{1, 0});
}

TEST_CASE("kinds of metrics have features, pooling and texts of their own") {
  const auto source = tests::read_comet(comet_contents("referenceless_regression_metric"));
  CHECK(source.config.bert.metric.kind == MetricKind::kSource);
  CHECK(model::estimator_layers(source.config).front().inputs == 16);
  const auto joint = comet_contents("unified_metric");
  CHECK(tests::read_comet(joint).config.bert.metric.pooling == MetricPooling::kFirst);
  CHECK(tests::read_comet(joint).config.bert.metric.inputs == MetricInputs::kBoth);
  const auto inputs_of = [&](const std::string& segments) {
    const auto contents =
        changed("hparams.yaml", "loss", "input_segments:\n" + segments + "loss", joint);
    return tests::read_comet(contents).config.bert.metric.inputs;
  };
  CHECK(inputs_of("- mt\n- src\n") == MetricInputs::kSource);
  CHECK(inputs_of("- mt\n- ref\n") == MetricInputs::kReference);
  CHECK(message_of([&] { inputs_of("- src\n"); }) ==
        "hparams.yaml: setting 'input_segments': expected mt, and src, ref or both");
  // In these, layer normalization is on unless it is turned off.
  CHECK(tests::read_comet(changed("hparams.yaml", "layer_norm: false\n", ""))
            .config.bert.metric.layer_norm == Switch::kOn);
}

TEST_CASE("what cannot be computed is refused") {
  CHECK(refused_settings("regression_metric", "ranking_metric") ==
        "hparams.yaml: setting 'class_identifier': 'ranking_metric' is not supported");
  CHECK(refused_settings("XLM-RoBERTa", "BERT") ==
        "hparams.yaml: setting 'encoder_model' is 'BERT': another encoder is not supported");
  CHECK(refused_settings("sparsemax", "entmax") ==
        "hparams.yaml: setting 'layer_transformation': 'entmax' is not supported");
  CHECK(refused_settings("pool: avg", "pool: max") ==
        "hparams.yaml: setting 'pool': 'max' is not supported (expected avg or cls)");
  CHECK(refused_settings("layer: mix", "layer: 2") ==
        "hparams.yaml: setting 'layer' is 2, but the encoder has 1 layers");
  CHECK(refused_settings("Tanh", "Mish") ==
        "hparams.yaml: setting 'activations': 'Mish' is not supported");
  CHECK(refused_settings("loss", "word_level_training: true\nloss") ==
        "hparams.yaml: setting 'word_level_training' is 'true': a prediction of errors is not "
        "supported");
  CHECK(refused_settings("loss", "beta: 1\nloss") ==
        "hparams.yaml: setting 'beta' (1) is not known");
  CHECK(refused_settings("- 3\n", "- 70000\n") ==
        "hparams.yaml: metric-hidden: a size must be in [1, 65536], got 70000");
  CHECK(refused_settings("- 3\n", "- 5\n") ==
        "model.ckpt: array 'estimator.ff.0.weight' is F32 [3, 24], but 'estimator.0' requires F32 "
        "[5, 24]");
  CHECK(refusal_of(changed("config.json", "xlm-roberta", "bert")) ==
        "config.json: models of type 'bert' (expected xlm-roberta)");
  CHECK(refusal_of(changed("config.json", "10", "11")) ==
        "sentencepiece.bpe.model: with its special tokens, it has 10 tokens, but the model has 11");
  auto contents = comet_contents();
  contents["model.ckpt"] = torch_zip_of(pickled::dictionary({}), {});
  CHECK(refusal_of(contents) == "model.ckpt: no weights ('state_dict')");
}

}  // namespace
