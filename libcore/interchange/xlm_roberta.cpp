#include "interchange/xlm_roberta.hpp"

#include "base/error.hpp"
#include "interchange/hugging_face_bert.hpp"
#include "interchange/hugging_face_files.hpp"
#include "interchange/token_list.hpp"
#include "interchange/transformer_settings.hpp"
#include "text/sentencepiece/model.hpp"

namespace awend::interchange {
namespace {

using model::Switch;
using model::Task;

constexpr std::string_view kConfig = "config.json";
const std::string kPieces = "sentencepiece.bpe.model";
// The first ids, and those that they replace in a SentencePiece model: <unk>, <s> and </s>.
constexpr std::string_view kFirstTokens[] = {"<s>", "<pad>", "</s>", "<unk>"};
constexpr std::uint32_t kFirstPiece = 3, kPadding = 1;

struct Heads {
  Task task;
  bool predicts_masked;
};

Heads heads_of(ForeignSettings& settings) {
  const auto names = settings.text("architectures", "null");
  if (names == "null" || names == "[\"XLMRobertaModel\"]") return {Task::kPretrain, false};
  if (names == "[\"XLMRobertaForMaskedLM\"]") return {Task::kPretrain, true};
  if (names == "[\"XLMRobertaForSequenceClassification\"]") return {Task::kClassify, false};
  if (names == "[\"XLMRobertaForTokenClassification\"]") return {Task::kTag, false};
  if (names == "[\"XLMRobertaForQuestionAnswering\"]") return {Task::kSpans, false};
  base::fail("setting 'architectures': ", names, " is not supported");
}

model::Config config_of(ForeignSettings& settings) {
  settings.require("type_vocab_size", {"1"}, "a number of segments other than 1");
  settings.require("pad_token_id", {"1"}, "another padding");
  auto config = bert_config_of(settings);
  config.bert.segments = 1;
  config.bert.first_position = kPadding + 1;
  config.bert.next_sentence = Switch::kOff;
  return config;
}

text::Vocabulary vocabulary_in(ModelFiles& files, std::uint32_t size) {
  TokenList list;
  list.splitter = splitter_in(files, {&kPieces, 1});
  if (list.splitter.empty()) base::fail(files.path_of(kPieces), ": no such file");
  return with_name_once(files.path_of(kPieces), [&] {
    const text::SentencePieceModel pieces(list.splitter, files.path_of(kPieces));
    if (pieces.size() < kFirstPiece || pieces.unknown() != 0 || pieces.piece(1) != "<s>" ||
        pieces.piece(2) != "</s>")
      base::fail("its first pieces are not <unk>, <s> and </s>");
    list.tokens.assign(std::begin(kFirstTokens), std::end(kFirstTokens));
    for (std::uint32_t id = kFirstPiece; id < pieces.size(); ++id)
      list.tokens.push_back(pieces.piece(id));
    list.tokens.emplace_back("<mask>");
    require_size("with its special tokens, it", list.tokens.size(), size);
    return vocabulary_of(list);
  });
}

/// The dense layer of a head and its normalization.
Location head_location(const model::WeightShape& weight, const HasArray& has) {
  const auto& part = weight.part;
  const auto transposed = [](std::string name) {
    return Location{.name = std::move(name), .order = Location::Order::kTransposed};
  };
  if (part == "masked.dense") return transposed("lm_head.dense.weight");
  if (part == "masked.dense_bias") return {.name = "lm_head.dense.bias"};
  if (part == "masked.norm.gain") return {.name = "lm_head.layer_norm.weight"};
  if (part == "masked.norm.bias") return {.name = "lm_head.layer_norm.bias"};
  if (part == "masked.bias")
    return {.name = has("lm_head.bias") ? "lm_head.bias" : "lm_head.decoder.bias"};
  if (part == "pooler.dense") return transposed("classifier.dense.weight");
  if (part == "pooler.dense_bias") return {.name = "classifier.dense.bias"};
  const std::string stem = part.starts_with("span")            ? "qa_outputs"
                           : has("classifier.out_proj.weight") ? "classifier.out_proj"
                                                               : "classifier";
  return {.name = stem + (part.ends_with("_bias") ? ".bias" : ".weight")};
}

bool is_encoder(const model::WeightShape& weight) {
  return !weight.side.empty() || weight.layer || weight.part == "embedding" ||
         weight.part == "positions" || weight.part == "segments";
}

void read_weights(store::StridedArrays arrays, const Heads& heads, ConvertedModel& model) {
  ForeignWeights weights(std::move(arrays));
  const HasArray has = [&](std::string_view array) { return weights.has(array); };
  const std::string prefix = has("embeddings.word_embeddings.weight") ? "" : "roberta.";
  const bool lacks_head = heads.task == Task::kPretrain && !heads.predicts_masked;
  weights.read_all(model, [&](const model::WeightShape& weight) {
    if (is_encoder(weight)) return xlm_roberta_location(weight, prefix);
    auto location = head_location(weight, has);
    if (lacks_head) location.if_missing = weight.part.ends_with(".gain") ? 1.0f : 0.0f;
    return location;
  });
  if (lacks_head) {
    add_unit_head(model);
    model.notes.emplace_back(
        "the original has no head for masked tokens; train the model before it fills masks");
  }
  for (const char* name : {"roberta.embeddings.position_ids", "embeddings.position_ids",
                           "roberta.pooler.*", "pooler.*", "lm_head.decoder.*", "lm_head.bias"})
    weights.ignore(name);
  weights.require_all_known();
}

}  // namespace

Location xlm_roberta_location(const model::WeightShape& weight, const std::string& prefix) {
  auto location = bert_location(weight, [](std::string_view name) {
    return name == "embeddings.word_embeddings.weight";  // names without a prefix
  });
  location.name.insert(0, prefix);
  return location;
}

ConvertedModel read_xlm_roberta_encoder(ModelFiles& files) {
  ConvertedModel model;
  const std::string name(kConfig);
  with_name_once(files.path_of(name), [&] {
    auto settings = ForeignSettings::from_json(files.text(name));
    if (settings.text("model_type") != "xlm-roberta")
      base::fail("models of type '", settings.text("model_type"), "' (expected xlm-roberta)");
    model.config = config_of(settings);
  });
  model.vocabulary = vocabulary_in(files, model.config.vocabulary);
  return model;
}

ConvertedModel read_xlm_roberta(ModelFiles& files, const std::string& name) {
  ConvertedModel model;
  Heads heads{};
  const std::string config_name(kConfig);
  with_name_once(files.path_of(config_name), [&] {
    auto settings = ForeignSettings::from_json(files.text(config_name));
    settings.text("model_type");
    heads = heads_of(settings);
    model.config = config_of(settings);
    read_bert_labels(settings, heads.task, model);
    ignore_bert_settings(settings);
    settings.require_all_known();
  });
  read_arrays(files, name,
              [&](FileArrays file) { read_weights(std::move(file.arrays), heads, model); });
  model.vocabulary = vocabulary_in(files, model.config.vocabulary);
  return model;
}

}  // namespace awend::interchange
