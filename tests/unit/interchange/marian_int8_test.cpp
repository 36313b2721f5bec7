// Models with 8 bits for Marian and for Firefox: their settings, and weights within the rounding.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "base/random.hpp"
#include "interchange/checkpoint.hpp"
#include "interchange/export.hpp"
#include "interchange/read_model.hpp"
#include "model/weight_layout.hpp"
#include "store/marian_binary.hpp"
#include "tests/catch.hpp"
#include "tests/foreign_files.hpp"
#include "tests/largest.hpp"
#include "tests/scratch.hpp"
#include "tests/unit/text/sentencepiece/sentencepiece_model.hpp"
#include "text/import.hpp"

namespace {

using namespace awend;
using namespace awend::interchange;
using namespace awend::tests;

/// A SentencePiece model with the ids of Marian, and this many pieces.
text::Vocabulary pieces(std::uint32_t count) {
  std::string model = piece_field("</s>", 0, 3) + piece_field("<unk>", 0, 2);
  for (std::uint32_t id = 2; id < count; ++id) model += piece_field(base::concat("▁", id), -1, 1);
  model += bytes_field(2, std::string("\x18\x01"));
  model += bytes_field(3, bytes_field(1, "small") + bytes_field(2, small_charsmap()));
  return text::import_model(model, "pieces");
}

/// A student: two layers that read and one with an SSRU that writes.
ConvertedModel student(std::uint32_t d_model = 64) {
  ConvertedModel model;
  auto& config = model.config;
  config.vocabulary = 16;
  config.d_model = d_model;
  config.transformer.d_ff = 128;
  config.transformer.heads = 2;
  config.transformer.d_k = config.transformer.d_v = d_model / 2;
  config.transformer.sinusoid_layout = model::SinusoidLayout::kHalvesMinusOne;
  config.transformer.autoregressive_layer = model::AutoregressiveLayer::kSsru;
  config.transformer.attention_bias = model::Switch::kOn;
  config.encoder_layers = 2;
  config.decoder_layers = 1;
  base::Random random(3);
  for (const auto& weight : model::transformer_weights(config)) {
    auto& values = model.weights[weight.name()];
    for (std::size_t i = 0; i < std::size_t{weight.rows} * weight.columns; ++i)
      values.push_back(static_cast<float>(random.below(20001)) / 10000.0f - 1);
  }
  model.vocabulary = pieces(config.vocabulary);
  return model;
}

/// A scale for each matrix.
void add_scales(ConvertedModel& model) {
  float scale = 20;
  for (const auto& weight : model::transformer_weights(model.config)) {
    if (weight.rows > 1 && weight.columns > 1) model.activation_scales[weight.name()] = ++scale;
  }
}

ConvertedModel read(const std::string& directory) {
  ModelFiles files(directory);
  return read_model(files);
}

/// Checks that the weights are equal, or within half a level where they are rounded.
template <class IsRounded>
void check_weights(const ConvertedModel& model, const ConvertedModel& back,
                   const IsRounded& is_rounded) {
  REQUIRE(back.weights.names() == model.weights.names());
  for (const auto& weight : model::transformer_weights(model.config)) {
    CAPTURE(weight.name());
    const auto expected = model.weights.at(weight.name()), found = back.weights.at(weight.name());
    if (!is_rounded(weight)) {
      CHECK(found == expected);
      continue;
    }
    float largest = 0, difference = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      largest = std::max(largest, std::abs(expected[i]));
      difference = larger(difference, std::abs(expected[i] - found[i]));
    }
    CHECK(difference <= 0.501f * largest / 127);
    CHECK(difference > 0);
  }
}

std::vector<std::string> names_in(const std::string& directory) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(directory))
    names.push_back(entry.path().filename());
  std::ranges::sort(names);
  return names;
}

TEST_CASE("Marian's matrices of layers have 8 bits") {
  const Scratch scratch;
  const auto model = student();
  write_marian_int8_model(scratch.path("x"), model);
  CHECK(names_in(scratch.path("x")) == std::vector<std::string>{"model.intgemm8.bin",
                                                                "model.intgemm8.bin.decoder.yml",
                                                                "vocab.spm"});
  CHECK(Scratch::read(scratch.path("x/model.intgemm8.bin.decoder.yml"))
            .starts_with("relative-paths: true\nmodels:\n  - model.intgemm8.bin\n"));
  const auto back = read(scratch.path("x"));
  CHECK(back.activation_scales.empty());
  const auto is_matrix = [](const model::WeightShape& weight) {
    return weight.layer && weight.rows > 1;
  };
  check_weights(model, back, is_matrix);
  // The integers of what was rounded are the same again.
  write_marian_int8_model(scratch.path("y"), back);
  CHECK(read(scratch.path("y")).weights == back.weights);
}

TEST_CASE("Firefox's embeddings have 8 bits, too, and its models fixed scales") {
  const Scratch scratch;
  auto model = student();
  const auto is_matrix = [](const model::WeightShape& weight) { return weight.rows > 1; };
  write_firefox_model(scratch.path("x"), model);
  CHECK(names_in(scratch.path("x")) == std::vector<std::string>{"model.intgemm8.bin",
                                                                "model.intgemm8.bin.decoder.yml",
                                                                "vocab.spm"});
  CHECK(Scratch::read(scratch.path("x/model.intgemm8.bin.decoder.yml"))
            .ends_with("max-length-break: 128\nmini-batch-words: 3264\n"
                       "gemm-precision: int8shiftAll\n"));
  check_weights(model, read(scratch.path("x")), is_matrix);

  add_scales(model);
  store::LexicalShortlist shortlist{.first = 2, .best = 1};
  for (std::uint32_t id = 0; id < model.config.vocabulary; ++id)
    shortlist.append(std::vector<std::uint32_t>{id});
  model.shortlist = shortlist;
  model.search.set("max-length-ratio", 2);
  model.search.set("max-length-extra", 2);
  write_firefox_model(scratch.path("y"), model);
  CHECK(names_in(scratch.path("y")) ==
        std::vector<std::string>{"lex.s2t.bin", "model.intgemm.alphas.bin",
                                 "model.intgemm.alphas.bin.decoder.yml", "vocab.spm"});
  CHECK(Scratch::read(scratch.path("y/model.intgemm.alphas.bin.decoder.yml"))
            .ends_with("mini-batch-words: 1024\ngemm-precision: int8shiftAlphaAll\n"
                       "shortlist:\n  - lex.s2t.bin\n  - false\n"));
  const auto back = read(scratch.path("y"));
  check_weights(model, back, is_matrix);
  CHECK(back.activation_scales == model.activation_scales);
  // The output has two names.
  const auto bytes = Scratch::read(scratch.path("y/model.intgemm.alphas.bin"));
  const auto items = store::read_marian_binary(view(bytes));
  for (const auto* name : {"Wemb_QuantMultA", "none_QuantMultA"})
    CHECK(store::to_floats(items.arrays.at(name)) ==
          std::vector<float>{model.activation_scales.at("embedding")});
  // Only this format has them.
  write_marian_int8_model(scratch.path("z"), model);
  CHECK(read(scratch.path("z")).activation_scales.empty());
}

TEST_CASE("a checkpoint keeps activation scales, and its own 8 bits are rounded again") {
  const Scratch scratch;
  auto model = student();
  add_scales(model);
  write_checkpoint(scratch.path("model"), model, store::Storage::kInt8);
  const auto back = read_checkpoint(scratch.path("model"));
  CHECK(back.activation_scales == model.activation_scales);
  write_firefox_model(scratch.path("x"), back);
  const auto rounded = read(scratch.path("x"));
  CHECK(rounded.activation_scales == model.activation_scales);
  // A row has its own scale in a checkpoint, so that it is half a level there and here.
  for (const auto& name : model.weights.names()) {
    CAPTURE(name);
    const auto expected = model.weights.at(name), found = rounded.weights.at(name);
    for (std::size_t i = 0; i < expected.size(); ++i)
      REQUIRE(std::abs(expected[i] - found[i]) <= 1.01f / 127);
  }
  model.activation_scales["embedding"] = -1;
  write_checkpoint(scratch.path("model"), model);
  CHECK(message_of([&] { read_checkpoint(scratch.path("model")); }) ==
        scratch.path("model") + ": the activation scale of 'embedding' is -1");
}

TEST_CASE("what 8 bits of Marian and Firefox cannot express is refused") {
  const Scratch scratch;
  const auto refusal = [&](const auto& write, const ConvertedModel& model) {
    const auto message = message_of([&] { write(scratch.path("x"), model); });
    CHECK_FALSE(std::filesystem::exists(scratch.path("x")));
    return message;
  };
  CHECK(refusal(write_marian_int8_model, student(32)) ==
        "d-model must be a multiple of 64 for Marian with 8 bits, not 32");
  auto model = student();
  model.config.transformer.decoder_d_ff = 96;
  CHECK(refusal(write_firefox_model, model) ==
        "decoder-d-ff must be a multiple of 64 for Firefox with 8 bits, not 96");
  model = student();
  model.weights["encoder.0.self.query"][5] = std::numeric_limits<float>::infinity();
  CHECK(refusal(write_marian_int8_model, model) ==
        "weight 'encoder.0.self.query' must be finite for Marian with 8 bits");
  model = student();
  model.config.transformer.tie = model::Tie::kEmbeddings;
  model.weights.set("projection", model.weights.at("embedding"));
  CHECK(refusal(write_firefox_model, model) ==
        "tie must be all or decoder for Firefox, not embeddings");
  model = student();
  model.config.vocabulary = 15;
  model.vocabulary = pieces(15);
  CHECK(refusal(write_firefox_model, model) ==
        "the size of the vocabulary must be a multiple of 8 for Firefox, not 15");
  model = student();
  model.vocabulary = text::import_model(small_model(ModelKind::kUnigram), "small");
  CHECK(refusal(write_firefox_model, model) ==
        "the vocabulary must be a SentencePiece model with the end as id 0 and the unknown token "
        "as id 1 for Firefox");
  model = student();
  add_scales(model);
  model.activation_scales.erase("decoder.0.ssru.input");
  CHECK(refusal(write_firefox_model, model) ==
        "weight 'decoder.0.ssru.input' must have an activation scale, as others do, for Firefox");
}

}  // namespace
