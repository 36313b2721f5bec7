#include "interchange/xlm_roberta.hpp"

#include "interchange/read_model.hpp"
#include "model/weight_layout.hpp"
#include "tests/catch.hpp"
#include "tests/foreign_files.hpp"
#include "tests/scratch.hpp"
#include "tests/unit/text/sentencepiece/sentencepiece_model.hpp"

namespace {

using namespace awend;
using namespace awend::interchange;
using namespace awend::tests;
using model::Task;

using Shapes = std::vector<std::pair<std::string, std::vector<std::int32_t>>>;
using Files = std::map<std::string, std::string>;

/// The arrays of an encoder of one layer, whose names begin with `prefix`.
Shapes encoder_shapes(const std::string& prefix) {
  const std::string layer = prefix + "encoder.layer.0.";
  Shapes shapes = {{prefix + "embeddings.word_embeddings.weight", {10, 4}},
                   {prefix + "embeddings.position_embeddings.weight", {6, 4}},
                   {prefix + "embeddings.token_type_embeddings.weight", {1, 4}}};
  for (const char* norm : {"attention.output.LayerNorm", "output.LayerNorm"}) {
    for (const char* part : {".weight", ".bias"}) shapes.push_back({layer + norm + part, {4}});
  }
  for (const char* part : {".weight", ".bias"})
    shapes.push_back({prefix + "embeddings.LayerNorm" + part, {4}});
  for (const char* dense : {"attention.self.query", "attention.self.key", "attention.self.value",
                            "attention.output.dense", "intermediate.dense", "output.dense"}) {
    shapes.push_back({layer + dense + ".weight", {4, 4}});
    shapes.push_back({layer + dense + ".bias", {4}});
  }
  return shapes;
}

/// A model with these arrays; element i of each is i.
Files files_of(const std::string& architecture, const Shapes& shapes) {
  Entries tensors;
  Storages storages;
  for (const auto& [name, shape] : shapes) {
    std::int32_t count = 1;
    for (const auto size : shape) count *= size;
    std::vector<float> values;
    for (std::int32_t i = 0; i < count; ++i) values.push_back(static_cast<float>(i));
    const auto key = std::to_string(storages.size());
    std::vector<std::int32_t> strides = {1};
    if (shape.size() == 2) strides = {shape[1], 1};
    tensors.emplace_back(name, pickled::tensor(key, shape, strides));
    storages.emplace_back(key, values);
  }
  return {{"config.json", R"({"model_type": "xlm-roberta", "architectures": [")" + architecture +
                              R"("], "vocab_size": 10, "hidden_size": 4, "intermediate_size": 4,)"
                              R"( "num_attention_heads": 1, "num_hidden_layers": 1,)"
                              R"( "max_position_embeddings": 6, "hidden_act": "gelu",)"
                              R"( "layer_norm_eps": 1e-05, "type_vocab_size": 1,)"
                              R"( "pad_token_id": 1, "id2label": {"0": "no", "1": "yes"}})"},
          {"sentencepiece.bpe.model", small_model(ModelKind::kUnigram)},
          {"pytorch_model.bin", torch_zip_of(pickled::dictionary(tensors), storages)}};
}

ConvertedModel read(const Files& contents) {
  ModelFiles files(contents);
  return read_model(files);
}

TEST_CASE("XLM-R for masked tokens is a BERT with one kind of segment and positions from 2") {
  auto shapes = encoder_shapes("roberta.");
  shapes.push_back({"lm_head.dense.weight", {4, 4}});
  shapes.push_back({"lm_head.dense.bias", {4}});
  shapes.push_back({"lm_head.layer_norm.weight", {4}});
  shapes.push_back({"lm_head.layer_norm.bias", {4}});
  shapes.push_back({"lm_head.bias", {10}});
  const auto model = read(files_of("XLMRobertaForMaskedLM", shapes));
  CHECK(model.config.bert.segments == 1);
  CHECK(model.config.bert.first_position == 2);
  CHECK(model.config.max_positions == 6);
  CHECK(model.config.bert.next_sentence == model::Switch::kOff);
  CHECK(model.weights.at("positions").size() == 24);  // with those before the first token
  CHECK(model.weights.at("masked.dense")[1] == 4);    // transposed
  CHECK(model.weights.at("masked.bias")[9] == 9);
  CHECK(model.vocabulary->piece(9) == "<mask>");
  CHECK(model.notes.size() == 1);
}

TEST_CASE("XLM-R without a head passes its output on") {
  const auto model = read(files_of("XLMRobertaModel", encoder_shapes("")));
  CHECK(model.weights.at("masked.dense")[0] == 1);
  CHECK(model.weights.at("masked.dense")[1] == 0);
  CHECK(model.weights.at("masked.norm.gain")[0] == 1);
  CHECK(model.notes.size() == 2);
}

TEST_CASE("XLM-R for labels has a dense layer before its projection") {
  auto shapes = encoder_shapes("roberta.");
  shapes.push_back({"classifier.dense.weight", {4, 4}});
  shapes.push_back({"classifier.dense.bias", {4}});
  shapes.push_back({"classifier.out_proj.weight", {2, 4}});
  shapes.push_back({"classifier.out_proj.bias", {2}});
  const auto model = read(files_of("XLMRobertaForSequenceClassification", shapes));
  CHECK(model.config.bert.task == Task::kClassify);
  CHECK(model.config.bert.labels == std::vector<std::string>{"no", "yes"});
  CHECK(model.weights.at("pooler.dense")[1] == 4);
  CHECK(model.weights.at("classifier") == std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7});
}

TEST_CASE("settings that do not change what XLM-R computes are ignored") {
  auto files = files_of("XLMRobertaModel", encoder_shapes(""));
  const auto weights = read(files).weights;
  // As in xlm-roberta-large and in models of deepset.
  files["config.json"].insert(1,
                              R"("output_past": true, "eos_token_ids": 0, "language": "english",)"
                              R"( "name": "XLMRoberta", )");
  CHECK(read(files).weights == weights);
  files["config.json"].insert(1, R"("names": 1, )");
  CHECK(message_of([&] { read(files); }) == "config.json: setting 'names' (1) is not known");
}

TEST_CASE("other models of the family are refused") {
  auto files = files_of("XLMRobertaModel", encoder_shapes(""));
  const auto refusal_of = [&](const std::string& before, const std::string& after) {
    auto changed = files;
    auto& text = changed["config.json"];
    text.replace(text.find(before), before.size(), after);
    return message_of([&] { read(changed); });
  };
  CHECK(refusal_of("\"type_vocab_size\": 1", "\"type_vocab_size\": 2") ==
        "config.json: setting 'type_vocab_size' is '2': a number of segments other than 1 is not "
        "supported");
  CHECK(refusal_of("XLMRobertaModel", "XLMRobertaForMultipleChoice") ==
        "config.json: setting 'architectures': [\"XLMRobertaForMultipleChoice\"] is not supported");
  files.erase("sentencepiece.bpe.model");
  CHECK(message_of([&] { read(files); }) == "sentencepiece.bpe.model: no such file");
}

}  // namespace
