#include "interchange/export.hpp"

#include <cmath>
#include <filesystem>

#include "base/random.hpp"
#include "interchange/checkpoint.hpp"
#include "interchange/read_model.hpp"
#include "interchange/token_list.hpp"
#include "model/weight_layout.hpp"
#include "store/ctranslate2_binary.hpp"
#include "tests/catch.hpp"
#include "tests/foreign_files.hpp"
#include "tests/scratch.hpp"

namespace {

using namespace awend;
using namespace awend::interchange;
using namespace awend::tests;
using model::Switch;

text::Vocabulary tokens(std::uint32_t size) {
  TokenList list;
  list.tokens = {"<unk>", "</s>", "<s>", "\u2581a\"\\"};
  while (list.tokens.size() < size) list.tokens.push_back(base::concat("t", list.tokens.size()));
  return vocabulary_of(list);
}

ConvertedModel sample(model::Config config) {
  config.vocabulary = 12;
  config.d_model = 8;
  config.transformer.d_ff = 12;
  config.transformer.heads = 2;
  if (config.transformer.d_k == 64) config.transformer.d_k = config.transformer.d_v = 4;
  config.encoder_layers = 2;
  config.decoder_layers = 1;
  ConvertedModel model;
  model.config = config;
  base::Random random(3);
  for (const auto& weight : model::transformer_weights(config)) {
    auto& values = model.weights[weight.name()];
    for (std::size_t i = 0; i < std::size_t{weight.rows} * weight.columns; ++i)
      values.push_back(static_cast<float>(random.below(20001)) / 10000.0f - 1);
  }
  model.vocabulary = tokens(config.vocabulary);
  if (config.source_vocabulary != 0) model.source_vocabulary = tokens(config.source_vocabulary);
  return model;
}

/// The model through the format of CTranslate2.
ConvertedModel converted(const ConvertedModel& model) {
  const Scratch scratch;
  write_ctranslate2_model(scratch.path("ct2"), model);
  ModelFiles files(scratch.path("ct2"));
  return read_model(files);
}

void check_same(const model::Config& config) {
  const auto model = sample(config);
  const auto back = converted(model);
  CHECK(back.weights == model.weights);  // bit for bit
  // Settings of training are not in the file, nor the number of positions that are computed.
  auto expected = model.config, found = back.config;
  for (auto* settings : {&expected, &found}) {
    settings->dropout = settings->label_smoothing = 0;
    if (!model::has_position_table(*settings)) settings->max_positions = 0;
    if (settings->transformer.positions == model::Positions::kLearned)
      settings->transformer.positions = model::Positions::kStored;
  }
  CHECK(model::to_settings(found).to_json() == model::to_settings(expected).to_json());
  CHECK(back.vocabulary->size() == model.vocabulary->size());
  CHECK(back.vocabulary->piece(3) == model.vocabulary->piece(3));
  CHECK(back.vocabulary->end_of_sentence() == 1);
  CHECK(back.source_vocabulary.has_value() == model.source_vocabulary.has_value());
}

TEST_CASE("a model is the same after CTranslate2's format") {
  model::Config config;
  check_same(config);
  config.transformer.norm = model::Norm::kPre;
  config.transformer.activation = nn::Activation::kGelu;
  config.transformer.tie = model::Tie::kNone;
  config.source_vocabulary = 16;
  config.transformer.decoder_d_ff = 20;
  check_same(config);
  config = {};
  config.transformer.attention_bias = config.transformer.output_bias =
      config.transformer.embedding_norm = Switch::kOn;
  config.transformer.final_norm = model::FinalNorm::kEncoder;
  config.transformer.embedding_scale = nn::EmbeddingScale::kOne;
  config.transformer.sinusoid_layout = model::SinusoidLayout::kHalves;
  config.transformer.first_position = 2;
  config.transformer.norm_epsilon = 1e-3;
  config.decoder_start = model::DecoderStart::kToken;
  config.start_id = 2;
  config.transformer.source_end = Switch::kOff;
  config.transformer.tie = model::Tie::kEmbeddings;
  config.transformer.activation = nn::Activation::kSwish;
  check_same(config);
  for (const auto activation : {nn::Activation::kGeluTanh, nn::Activation::kGeluSigmoid}) {
    config.transformer.activation = activation;
    check_same(config);
  }
  config = {};
  config.transformer.positions = model::Positions::kLearned;
  config.max_positions = 7;
  config.transformer.tie = model::Tie::kDecoder;
  config.transformer.d_k = config.transformer.d_v = 8;
  check_same(config);
}

TEST_CASE("masked ids become biases, and a size of heads that differs is refused") {
  model::Config config;
  config.transformer.masked_ids = {2};
  const auto back = converted(sample(config));
  CHECK(back.weights.at("output_bias")[2] == -1e9f);
  CHECK(back.weights.at("output_bias")[3] == 0);
  config.transformer.d_k = 4;
  config.transformer.d_v = 8;
  CHECK(message_of([&] { converted(sample(config)); }) ==
        "d-k 4 and d-v 8 differ, but CTranslate2 has one size of heads");
}

/// The files of CTranslate2 with a factor of embeddings, as its own converters write it.
model::Config with_scales(const model::Config& config, float encoder, float decoder) {
  const Scratch scratch;
  write_ctranslate2_model(scratch.path("ct2"), sample(config));
  const auto path = scratch.path("ct2/model.bin");
  const auto bytes = Scratch::read(path);
  auto items = store::read_ctranslate2(view(bytes));
  const std::vector<float> scales = {encoder, decoder};
  for (const int side : {0, 1}) {
    items.variables[side == 0 ? "encoder/scale_embeddings" : "decoder/scale_embeddings"] = {
        store::Type::F32, {}, {}, std::as_bytes(std::span(scales)).subspan(4 * side, 4)};
  }
  for (const auto& [alias, name] : items.aliases) items.variables.erase(alias);
  scratch.write("ct2/model.bin", ctranslate2_of(items));
  ModelFiles files(scratch.path("ct2"));
  return read_model(files).config;
}

TEST_CASE("a number of floating point is the factor of embeddings in CTranslate2's format") {
  const model::Config config;
  const auto root = static_cast<float>(std::sqrt(8.0));
  CHECK(with_scales(config, 1, 1).transformer.embedding_scale == nn::EmbeddingScale::kOne);
  CHECK(with_scales(config, root, root).transformer.embedding_scale ==
        nn::EmbeddingScale::kRootOfColumns);
  CHECK(message_of([&] { with_scales(config, 2, 2); })
            .ends_with("model.bin: variable 'encoder/scale_embeddings' is 2, which is not "
                       "supported"));
  CHECK(message_of([&] { with_scales(config, 1, root); })
            .ends_with("model.bin: variables 'encoder/scale_embeddings' and "
                       "'decoder/scale_embeddings' differ"));
}

/// A model through a format that has its own order of ids or none of its settings of training.
template <class Write>
void check_format(const model::Config& config, const Write& write) {
  const auto model = sample(config);
  const Scratch scratch;
  write(scratch.path("model"), model);
  ModelFiles files(scratch.path("model"));
  const auto back = read_model(files);
  CHECK(back.config.transformer.norm == config.transformer.norm);
  CHECK(back.config.transformer.tie == config.transformer.tie);
  CHECK(back.config.transformer.decoder_d_ff == config.transformer.decoder_d_ff);
  CHECK(back.config.transformer.sinusoid_layout == config.transformer.sinusoid_layout);
  CHECK(back.config.transformer.masked_ids == config.transformer.masked_ids);
  CHECK(back.config.transformer.autoregressive_layer == config.transformer.autoregressive_layer);
  CHECK(back.config.transformer.ssru_projection == config.transformer.ssru_projection);
  const auto& columns = model.config.d_model;
  for (const auto& name : model.weights.names()) {
    CAPTURE(name);
    const auto values = model.weights.at(name);
    const auto& found = back.weights.at(name);
    const bool is_source = name == "source_embedding";
    const auto& before =
        is_source && model.source_vocabulary ? *model.source_vocabulary : *model.vocabulary;
    const auto& after =
        is_source && back.source_vocabulary ? *back.source_vocabulary : *back.vocabulary;
    const bool is_table = name.find("embedding") != name.npos || name == "projection";
    if (!is_table && name != "output_bias") {
      CHECK(found == values);
      continue;
    }
    const std::size_t width = is_table ? columns : 1;
    for (std::uint32_t id = 0; id < before.size(); ++id) {
      const auto place = after.id(before.piece(id));
      CHECK(std::equal(values.begin() + id * width, values.begin() + (id + 1) * width,
                       found.begin() + place * width));
    }
  }
}

TEST_CASE("a model is the same after Marian's format") {
  model::Config config;
  config.transformer.sinusoid_layout = model::SinusoidLayout::kHalvesMinusOne;
  config.transformer.attention_bias = config.transformer.output_bias = Switch::kOn;
  check_format(config, write_marian_model);
  config.transformer.norm = model::Norm::kPre;
  config.transformer.tie = model::Tie::kNone;
  config.source_vocabulary = 16;
  config.transformer.decoder_d_ff = 20;
  check_format(config, write_marian_model);
  config = {};
  config.transformer.sinusoid_layout = model::SinusoidLayout::kHalvesMinusOne;
  config.transformer.tie = model::Tie::kEmbeddings;
  config.transformer.embedding_norm = Switch::kOff;
  check_format(config, write_marian_model);
  for (const auto norm : {model::Norm::kPre, model::Norm::kPost}) {
    config.transformer.norm = norm;
    config.transformer.autoregressive_layer = model::AutoregressiveLayer::kSsru;
    config.transformer.ssru_projection = norm == model::Norm::kPre ? Switch::kOn : Switch::kOff;
    check_format(config, write_marian_model);
  }
  config.transformer.norm_epsilon = 1e-5;
  CHECK(message_of([&] { write_marian_model("x", sample(config)); }) ==
        "norm-epsilon must be 1e-06 for Marian, not 1e-05");
}

TEST_CASE("Marian has masked ids as biases, and a start token of zeros as its start") {
  model::Config config;
  config.transformer.sinusoid_layout = model::SinusoidLayout::kHalvesMinusOne;
  config.decoder_start = model::DecoderStart::kToken;
  config.start_id = 3;
  config.transformer.masked_ids = {3, 5};
  auto model = sample(config);
  const Scratch scratch;
  CHECK(message_of([&] { write_marian_model(scratch.path("x"), model); }) ==
        "decoder-start must be zero, or a token of zeros for Marian");
  CHECK_FALSE(std::filesystem::exists(scratch.path("x")));
  const auto width = model.config.d_model;
  std::fill_n(model.weights["embedding"].begin() + 3 * width, width, 0.0f);
  for (const bool has_bias : {false, true}) {
    CAPTURE(has_bias);
    if (has_bias) {
      model.config.transformer.output_bias = Switch::kOn;
      model.weights.set("output_bias", std::vector<float>(model.config.vocabulary, 0.5f));
    }
    write_marian_model(scratch.path("x"), model);
    ModelFiles files(scratch.path("x"));
    const auto back = read_model(files);
    CHECK(back.config.decoder_start == model::DecoderStart::kZero);
    const auto bias = back.weights.at("output_bias");
    for (std::uint32_t id = 0; id < model.config.vocabulary; ++id) {
      const bool is_masked = id == 3 || id == 5;
      CHECK(bias[back.vocabulary->id(model.vocabulary->piece(id))] == (is_masked  ? -1e9f
                                                                       : has_bias ? 0.5f
                                                                                  : 0.0f));
    }
  }
}

TEST_CASE("the settings of Marian's search are those of the model") {
  model::Config config;
  config.transformer.sinusoid_layout = model::SinusoidLayout::kHalvesMinusOne;
  auto model = sample(config);
  const Scratch scratch;
  const auto written = [&] {
    write_marian_model(scratch.path("x"), model);
    return Scratch::read(scratch.path("x") + "/model.bin.decoder.yml");
  };
  CHECK(written().ends_with(
      "beam-size: 4\nnormalize: 0.6\nmax-length-factor: 25.5\nallow-unk: true\n"));
  model.search.set("beam-size", std::string_view("6"));
  model.search.set("alpha", std::string_view("1"));
  model.search.set("length-penalty", std::string_view("power"));
  model.search.set("max-length-ratio", std::string_view("1.5"));
  model.search.set("max-length-extra", std::string_view("2"));
  model.search.set("unknown-tokens", std::string_view("off"));
  CHECK(written().ends_with(
      "beam-size: 6\nnormalize: 1\nmax-length-factor: 1.5\nallow-unk: false\n"));
  ModelFiles files(scratch.path("x"));
  const auto back = read_model(files).search;
  for (const auto& [name, value] : model.search.entries()) CHECK(back.find(name) == value);
}

TEST_CASE("a MarianMT may compute as Marian, for which it can then be written") {
  model::Config config;
  config.transformer.sinusoid_layout = model::SinusoidLayout::kHalves;
  config.transformer.norm_epsilon = 1e-5;
  config.transformer.output_bias = config.transformer.attention_bias = Switch::kOn;
  config.decoder_start = model::DecoderStart::kToken;
  config.start_id = 3;
  config.transformer.masked_ids = {3};
  auto model = sample(config);
  const auto width = model.config.d_model;
  std::fill_n(model.weights["embedding"].begin() + 3 * width, width, 0.0f);
  const Scratch scratch;
  write_hugging_face_model(scratch.path("mt"), model);
  const auto read = [&](ReadOptions::MarianMt form) {
    ModelFiles files(scratch.path("mt"));
    return read_model(files, {.marian_mt = form});
  };
  CHECK(message_of([&] {
          write_marian_model("x", read(ReadOptions::MarianMt::kAsTransformers));
        }) == "sinusoid-layout must be halves-minus-one for Marian, not halves");
  const auto as_marian = read(ReadOptions::MarianMt::kAsMarian);
  CHECK(as_marian.config.transformer.norm_epsilon == 1e-6);
  write_marian_model(scratch.path("marian"), as_marian);
  ModelFiles files(scratch.path("marian"));
  CHECK(message_of([&] {
          read_model(files, {.marian_mt = ReadOptions::MarianMt::kAsMarian});
        }).ends_with("model.bin: not a MarianMT, which could be computed as by Marian"));
}

TEST_CASE("formats without SSRU refuse it by the name of the setting") {
  model::Config config;
  config.transformer.autoregressive_layer = model::AutoregressiveLayer::kSsru;
  CHECK(message_of([&] { converted(sample(config)); }) ==
        "autoregressive-layer must be self-attention for CTranslate2, not ssru");
  CHECK(message_of([&] { write_hugging_face_model("x", sample(config)); }) ==
        "autoregressive-layer must be self-attention for MarianMT of Hugging Face, not ssru");
}

TEST_CASE("all formats refuse restricted attention by the name of the setting") {
  model::Config config;
  config.transformer.attention_window = 2;
  CHECK(message_of([&] { converted(sample(config)); }) ==
        "attention-window must be 0 for CTranslate2, not 2");
  CHECK(message_of([&] { write_marian_model("x", sample(config)); }) ==
        "attention-window must be 0 for Marian, not 2");
  CHECK(message_of([&] { write_hugging_face_model("x", sample(config)); }) ==
        "attention-window must be 0 for Hugging Face, not 2");
}

TEST_CASE("formats of Transformers refuse other architectures by name") {
  ConvertedModel model;
  model.config.architecture = "rnn";
  model.vocabulary = vocabulary_of({.tokens = {"<pad>", "</s>", "<unk>"}, .splitter = {}});
  CHECK(message_of([&] { converted(model); }) ==
        "models of architecture rnn cannot be converted for CTranslate2");
  CHECK(message_of([&] { write_marian_model("x", model); }) ==
        "models of architecture rnn cannot be converted for Marian");
  CHECK(message_of([&] { write_hugging_face_model("x", model); }) ==
        "models of architecture rnn cannot be converted for Hugging Face");
}

TEST_CASE("a model is the same after Hugging Face's format") {
  model::Config config;
  config.transformer.sinusoid_layout = model::SinusoidLayout::kHalves;
  config.transformer.norm_epsilon = 1e-5;
  config.decoder_start = model::DecoderStart::kToken;
  config.start_id = 2;
  config.transformer.masked_ids = {2};
  check_format(config, write_hugging_face_model);
  config.transformer.attention_bias = config.transformer.output_bias = Switch::kOn;
  config.transformer.tie = model::Tie::kDecoder;
  config.source_vocabulary = 16;
  config.transformer.decoder_d_ff = 20;
  check_format(config, write_hugging_face_model);
  config.transformer.masked_ids.clear();
  config.transformer.norm = model::Norm::kPre;
  CHECK(message_of([&] { write_hugging_face_model("x", sample(config)); }) ==
        "norm must be post for MarianMT of Hugging Face, not pre");
}

TEST_CASE("a converted model is the same after a checkpoint") {
  const Scratch scratch;
  model::Config config;
  config.transformer.tie = model::Tie::kNone;
  config.source_vocabulary = 16;
  auto model = sample(config);
  model.search.set("beam-size", 6);
  const auto path = scratch.path("model.safetensors");
  write_checkpoint(path, model);
  const auto back = read_checkpoint(path);
  CHECK(back.weights == model.weights);
  CHECK(back.source_vocabulary->serialize() == model.source_vocabulary->serialize());
  CHECK(back.vocabulary->serialize() == model.vocabulary->serialize());
  CHECK(back.search == model.search);
  CHECK(model::to_settings(back.config) == model::to_settings(model.config));
}

}  // namespace
