// T5 v1.1, mT5 and MADLAD-400 written for other toolkits, and read again.
#include "interchange/export.hpp"
#include "interchange/hugging_face_t5.hpp"
#include "interchange/read_model.hpp"
#include "tests/catch.hpp"
#include "tests/fuzz/foreign_models.hpp"
#include "tests/scratch.hpp"

namespace {

using namespace awend;
using namespace awend::interchange;
using namespace awend::tests;
using model::Switch;
using Change = std::function<void(ConvertedModel&)>;
using Write = void (*)(const std::string& directory, const ConvertedModel& model);

ConvertedModel sample(const Change& change = {}) {
  ModelFiles files(t5_contents());
  auto model = read_model(files);
  // Otherwise the output is that of a tied one.
  model.weights["projection"].front() += 1;
  if (change) change(model);
  return model;
}

ConvertedModel through(Write write, const ConvertedModel& model) {
  const Scratch scratch;
  write(scratch.path("written"), model);
  ModelFiles files(scratch.path("written"));
  return read_model(files);
}

void check_same(Write write, const ConvertedModel& model) {
  const auto back = through(write, model);
  CHECK(back.weights == model.weights);
  CHECK(back.vocabulary->serialize() == model.vocabulary->serialize());
  auto expected = model.config, found = back.config;
  for (auto* config : {&expected, &found}) {
    config->dropout = config->label_smoothing = 0;
    config->max_positions = 1;
  }
  CHECK(model::to_settings(found).to_json() == model::to_settings(expected).to_json());
}

/// T5 before version 1.1: ReLU without a gate, and a tied output with a factor.
void make_tied(ConvertedModel& model) {
  auto& transformer = model.config.transformer;
  transformer.feed_forward = model::FeedForwardKind::kPlain;
  transformer.activation = nn::Activation::kRelu;
  transformer.tie = model::Tie::kAll;
  transformer.output_scale = model::OutputScale::kInverseRootOfColumns;
  for (const auto& name : model.weights.names()) {
    if (name == "projection" || name.ends_with(".gate")) model.weights.erase(name);
  }
}

}  // namespace

TEST_CASE("a T5 has the settings and languages of its files") {
  const auto model = sample();
  const auto& transformer = model.config.transformer;
  CHECK(model::has_relative_positions(model.config));
  CHECK(transformer.norm_kind == model::NormKind::kRms);
  CHECK(transformer.activation == nn::Activation::kGeluTanh);
  CHECK(transformer.d_k == 8);
  CHECK(model.config.start_id == 8);
  CHECK(model.search.at("beam-size") == "3");
  CHECK(text::has_language_tags(*model.vocabulary));
  CHECK(text::language_id(*model.vocabulary, "de") == 9);
  CHECK(text::language_id(*model.vocabulary, "<2en>") == 10);
  CHECK(model.vocabulary->piece(11) == "<id:11>");
}

TEST_CASE("a T5 is the same after the formats of Hugging Face and CTranslate2") {
  for (const Write write : {write_hugging_face_model, write_ctranslate2_model}) {
    check_same(write, sample());
    check_same(write, sample(make_tied));
    check_same(write, sample([](ConvertedModel& it) {
                 it.config.transformer.activation = nn::Activation::kSwish;
               }));
  }
}

TEST_CASE("settings that T5 does not have are refused") {
  const auto check = [](const std::string& what, const std::string& value, const Change& change) {
    CHECK(message_of([&] { through(write_hugging_face_model, sample(change)); }) ==
          what + " for T5 of Hugging Face, not " + value);
  };
  check("norm-kind must be rms", "layer",
        [](auto& it) { it.config.transformer.norm_kind = model::NormKind::kLayer; });
  check("norm must be pre", "post",
        [](auto& it) { it.config.transformer.norm = model::Norm::kPost; });
  check("feed-forward-bias must be off", "on",
        [](auto& it) { it.config.transformer.feed_forward_bias = Switch::kOn; });
  check("attention-bias must be off", "on",
        [](auto& it) { it.config.transformer.attention_bias = Switch::kOn; });
  check("attention-scale must be none", "inverse-sqrt-d-k", [](auto& it) {
    it.config.transformer.attention_scale = model::AttentionScale::kInverseRootOfKeys;
  });
  check("output-scale must be none with tie embeddings", "inverse-sqrt-d-model", [](auto& it) {
    it.config.transformer.output_scale = model::OutputScale::kInverseRootOfColumns;
  });
  check("decoder-start must be token", "zero",
        [](auto& it) { it.config.decoder_start = model::DecoderStart::kZero; });
}

TEST_CASE("Marian and MarianMT do not have the settings of modern Transformers") {
  const auto plain = [](const Change& change) {
    ModelFiles files(marian_contents());
    auto model = read_model(files);
    change(model);
    return model;
  };
  const auto check = [&](const std::string& what, const std::string& value, const Change& change) {
    const Scratch scratch;
    CHECK(message_of([&] { write_marian_model(scratch.path("x"), plain(change)); }) ==
          what + " for Marian, not " + value);
  };
  check("positions must be sinusoid", "relative",
        [](auto& it) { it.config.transformer.positions = model::Positions::kRelative; });
  check("norm-kind must be layer", "rms",
        [](auto& it) { it.config.transformer.norm_kind = model::NormKind::kRms; });
  check("feed-forward must be plain", "gated",
        [](auto& it) { it.config.transformer.feed_forward = model::FeedForwardKind::kGated; });
  check("activation must be relu, gelu or swish", "gelu-sigmoid",
        [](auto& it) { it.config.transformer.activation = nn::Activation::kGeluSigmoid; });
  const Scratch scratch;
  CHECK(message_of([&] {
          write_hugging_face_model(scratch.path("x"), plain([](auto& it) {
                                     it.config.transformer.norm_kind = model::NormKind::kRms;
                                   }));
        }) == "norm-kind must be layer for MarianMT of Hugging Face, not rms");
}

TEST_CASE("the embeddings may have the name of a side") {
  ModelFiles files(t5_contents("decoder.embed_tokens.weight"));
  CHECK(read_model(files).weights.at("embedding") == sample().weights.at("embedding"));
}

TEST_CASE("damaged settings of T5 are refused by name") {
  const auto refusal = [](const std::string& old, const std::string& other) {
    auto contents = t5_contents();
    auto& config = contents.at("config.json");
    const auto at = config.find(old);
    REQUIRE(at != config.npos);
    config.replace(at, old.size(), other);
    return message_of([&] {
      ModelFiles files(contents);
      read_model(files);
    });
  };
  CHECK(refusal("gelu_new", "mish") ==
        "config.json: setting 'dense_act_fn': 'mish' is not supported");
  CHECK(refusal("\"d_kv\"", "\"d_k\"") == "config.json: no setting 'd_kv'");
  CHECK(refusal("\"d_kv\"", "\"x\": 1, \"d_kv\"") == "config.json: setting 'x' (1) is not known");
  CHECK(refusal("num_buckets\": 8", "num_buckets\": 16")
            .starts_with("model.safetensors: array "
                         "'encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight'"));
}
