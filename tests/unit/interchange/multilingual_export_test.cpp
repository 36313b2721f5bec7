// Multilingual models written for other toolkits, and read again.
#include "base/error.hpp"
#include "interchange/export.hpp"
#include "interchange/read_model.hpp"
#include "store/array_file.hpp"
#include "tests/catch.hpp"
#include "tests/fuzz/foreign_models.hpp"
#include "tests/scratch.hpp"

namespace {

using namespace awend;
using namespace awend::interchange;
using namespace awend::tests;
using model::Switch;
using Change = std::function<void(ConvertedModel&)>;

ConvertedModel sample(Multilingual kind, const Change& change = {}) {
  ModelFiles files(multilingual_contents(kind));
  auto model = read_model(files);
  if (change) change(model);
  return model;
}

/// The model through the files of Hugging Face.
ConvertedModel converted(const ConvertedModel& model) {
  const Scratch scratch;
  write_hugging_face_model(scratch.path("hf"), model);
  ModelFiles files(scratch.path("hf"));
  return read_model(files);
}

TEST_CASE("models of Hugging Face are written as they were read") {
  for (const auto kind : {Multilingual::kNllb, Multilingual::kM2m100, Multilingual::kMbart50}) {
    CAPTURE(static_cast<int>(kind));
    const auto model = sample(kind, [&](ConvertedModel& it) {
      if (kind != Multilingual::kM2m100) return;
      // Its tokenizer has a fixed list.
      auto content = it.vocabulary->content();
      content.languages.clear();
      std::uint32_t id = static_cast<std::uint32_t>(content.pieces.size()) - 8;
      for (const char* code : {"en", "ha", "is", "ja", "cs", "ru", "zh", "de"}) {
        content.pieces[id].text = base::concat("__", code, "__");
        content.languages.push_back({code, id++});
      }
      content.unknown = 3;
      it.vocabulary = text::Vocabulary(content);
    });
    const auto back = converted(model);
    CHECK(back.weights == model.weights);
    CHECK(back.vocabulary->serialize() == model.vocabulary->serialize());
    CHECK(model::to_settings(back.config).to_json() == model::to_settings(model.config).to_json());
    CHECK(back.search.to_json() == model.search.to_json());
  }
}

TEST_CASE("embeddings that are tied without the output are written as all copies") {
  const auto model = sample(Multilingual::kNllb, [](ConvertedModel& it) {
    it.config.transformer.tie = model::Tie::kEmbeddings;
    it.weights.set("projection", std::vector<float>(12 * kSize, 0.5f));
  });
  const Scratch scratch;
  write_hugging_face_model(scratch.path("hf"), model);
  const store::ArrayFile file(scratch.path("hf/model.safetensors"));
  const auto values_of = [&](std::string_view name) {
    const auto found = std::ranges::find(file.arrays(), name, &store::Array::name);
    REQUIRE(found != file.arrays().end());
    CHECK(found->shape == std::vector<std::uint64_t>{12, kSize});
    return std::string(reinterpret_cast<const char*>(found->bytes.data()), found->bytes.size());
  };
  const auto shared = values_of("model.shared.weight");
  CHECK(shared == bytes_of(model.weights.at("embedding")));
  CHECK(values_of("model.encoder.embed_tokens.weight") == shared);
  CHECK(values_of("model.decoder.embed_tokens.weight") == shared);
  CHECK(values_of("lm_head.weight") == bytes_of(model.weights.at("projection")));
  CHECK(converted(model).weights == model.weights);
}

TEST_CASE("settings that config.json lacks are those of the class") {
  const auto read_without = [](Multilingual kind, const std::string& setting) {
    auto contents = multilingual_contents(kind);
    auto& config = contents.at("config.json");
    REQUIRE(config.find(setting) != config.npos);
    config.erase(config.find(setting), setting.size());
    ModelFiles files(contents);
    return read_model(files).config;
  };
  const std::string scale = " \"scale_embedding\": true,",
                    start = " \"decoder_start_token_id\": 2,";
  const auto scale_of = [&](Multilingual kind) {
    return read_without(kind, scale).transformer.embedding_scale;
  };
  CHECK(scale_of(Multilingual::kNllb) == nn::EmbeddingScale::kRootOfColumns);
  CHECK(scale_of(Multilingual::kMbart50) == nn::EmbeddingScale::kOne);
  CHECK(read_without(Multilingual::kM2m100, start).start_id == 2);
  CHECK(message_of([&] { read_without(Multilingual::kMbart50, start); }) ==
        "generation_config.json: no setting 'decoder_start_token_id'");
}

TEST_CASE("settings of the search are written for Hugging Face") {
  const auto set = [](ConvertedModel& it) {
    for (const auto& [name, value] : Entries{{"beam-size", "3"},
                                             {"alpha", "0.7"},
                                             {"length-penalty", "power"},
                                             {"max-length-ratio", "0"},
                                             {"max-length-extra", "30"},
                                             {"min-length-extra", "4"},
                                             {"no-repeat-ngram", "3"},
                                             {"repetition-penalty", "1.25"}})
      it.search.set(name, std::string_view(value));
  };
  const auto read_back = [&](Contents contents) {
    ModelFiles files(std::move(contents));
    auto model = read_model(files);
    set(model);
    CHECK(converted(model).search == model.search);
    // The exponent of the other form is none of this one.
    model.search.set("length-penalty", std::string_view("gnmt"));
    CHECK(converted(model).search.at("alpha") == "1");
  };
  read_back(multilingual_contents(Multilingual::kNllb));
  read_back(hugging_face_contents());
  read_back(t5_contents());
  // transformers need a maximum.
  ModelFiles files(t5_contents());
  auto model = read_model(files);
  CHECK_FALSE(model.search.find("max-length-extra"));
  CHECK(converted(model).search.at("max-length-extra") == "511");
}

TEST_CASE("a model without biases gets zeros") {
  auto model = sample(Multilingual::kMbart50, [](ConvertedModel& it) {
    it.config.transformer.attention_bias = it.config.transformer.output_bias = Switch::kOff;
    for (const auto& name : it.weights.names()) {
      if (name == "output_bias" ||
          (name.ends_with("_bias") && name.find("feed_forward") == name.npos))
        it.weights.erase(name);
    }
  });
  const auto back = converted(model);
  CHECK(back.config.transformer.output_bias == Switch::kOn);
  CHECK(back.weights.at("output_bias") == std::vector<float>(12, 0));
  CHECK(back.weights.at("encoder.0.self.query_bias") == std::vector<float>(kSize, 0));
}

TEST_CASE("sinusoids that another toolkit stored are those of M2M100") {
  const auto with_table = [](float difference) {
    return sample(Multilingual::kNllb, [=](ConvertedModel& it) {
      it.config.transformer.positions = model::Positions::kStored;
      it.config.max_positions = 5;
      for (const char* name : {"source_positions", "target_positions"}) {
        auto& table = it.weights[name] =
            model::sinusoids({.rows = 5,
                              .columns = kSize,
                              .layout = model::SinusoidLayout::kHalvesMinusOne,
                              .first = 2});
        table[7] += difference;
      }
    });
  };
  CHECK(converted(with_table(1e-6f)).config.transformer.positions == model::Positions::kSinusoid);
  CHECK(message_of([&] { converted(with_table(1e-2f)); }) ==
        "positions must be sinusoids of sinusoid-layout halves-minus-one and first-position 2 for "
        "M2M100 of Hugging Face");
}

TEST_CASE("settings that the architectures of Hugging Face do not have are refused") {
  const auto complaint = [](Multilingual kind, const Change& change) {
    return message_of([&] { converted(sample(kind, change)); });
  };
  const std::string m2m100 = " for M2M100 of Hugging Face", mbart = " for mBART of Hugging Face";
  const auto check = [&](const std::string& what, const std::string& value, const Change& change) {
    CHECK(complaint(Multilingual::kNllb, change) == what + m2m100 + value);
  };
  check("norm must be pre", ", not post",
        [](auto& it) { it.config.transformer.norm = model::Norm::kPost; });
  check("final-norm must be both", ", not encoder",
        [](auto& it) { it.config.transformer.final_norm = model::FinalNorm::kEncoder; });
  check("norm-epsilon must be 1e-05", ", not 1e-06",
        [](auto& it) { it.config.transformer.norm_epsilon = 1e-6; });
  check("decoder-start must be token", ", not zero",
        [](auto& it) { it.config.decoder_start = model::DecoderStart::kZero; });
  check("source-end must be on", ", not off",
        [](auto& it) { it.config.transformer.source_end = Switch::kOff; });
  check("masked-ids must be empty", ", not 1",
        [](auto& it) { it.config.transformer.masked_ids = {1}; });
  check("tie must be all or embeddings", ", not none",
        [](auto& it) { it.config.transformer.tie = model::Tie::kNone; });
  check("output-bias must be off", ", not on",
        [](auto& it) { it.config.transformer.output_bias = Switch::kOn; });
  check("positions must be sinusoids of sinusoid-layout halves-minus-one and first-position 2", "",
        [](auto& it) { it.config.transformer.first_position = 0; });
  CHECK(complaint(Multilingual::kMbart50, [](auto& it) {
          it.config.transformer.positions = model::Positions::kSinusoid;
        }) == "positions must be learned" + mbart + ", not sinusoid");
  CHECK(complaint(Multilingual::kM2m100, {}) ==
        "the languages must be those of M2M100's tokenizer, whose files do not list them");
  CHECK(complaint(Multilingual::kNllb, [](auto& it) {
          auto content = it.vocabulary->content();
          std::swap(content.pieces[4], content.pieces[5]);
          it.vocabulary = text::Vocabulary(content);
        }) == "id 4 must be '▁a' for the tokenizer of Hugging Face");
  CHECK(complaint(Multilingual::kNllb, [](auto& it) {
          auto content = it.vocabulary->content();
          content.model.clear();
          it.vocabulary = text::Vocabulary(content);
        }) == "the vocabulary has no SentencePiece model, which Hugging Face needs");
}

TEST_CASE("multilingual models are written for CTranslate2 as its converter does") {
  for (const auto kind : {Multilingual::kNllb, Multilingual::kM2m100, Multilingual::kMbart50}) {
    CAPTURE(static_cast<int>(kind));
    const auto model = sample(kind);
    const Scratch scratch;
    write_ctranslate2_model(scratch.path("ct2"), model);
    const auto config = Scratch::read(scratch.path("ct2/config.json"));
    CHECK(config.find("\"add_source_eos\": false") != std::string::npos);
    ModelFiles files(scratch.path("ct2"));
    const auto back = read_model(files);
    CHECK(back.weights.at("embedding") == model.weights.at("embedding"));
    CHECK(back.vocabulary->serialize() == model.vocabulary->serialize());
    CHECK(back.config.transformer.source_end == Switch::kOn);
    CHECK(back.config.start_id == 2);
    CHECK(back.assumed_source_end.has_value());
  }
  // Its converter of mBART writes no start token.
  const Scratch scratch;
  write_ctranslate2_model(scratch.folder(), sample(Multilingual::kMbart50));
  auto config = Scratch::read(scratch.path("config.json"));
  const std::string start = "\"decoder_start_token\": \"</s>\"";
  REQUIRE(config.find(start) != std::string::npos);
  scratch.write("config.json",
                config.replace(config.find(start), start.size(), "\"decoder_start_token\": null"));
  ModelFiles files(scratch.folder());
  CHECK(read_model(files).config.start_id == 2);
}

}  // namespace
