// Writes BERT for transformers of Hugging Face.
#include "base/error.hpp"
#include "base/json.hpp"
#include "base/output_directory.hpp"
#include "interchange/hugging_face_bert.hpp"
#include "interchange/transformer_settings.hpp"
#include "store/array_writer.hpp"
#include "text/bert/word_pieces.hpp"

namespace awend::interchange {
namespace {

using model::Task;

void require_bert(const ConvertedModel& model) {
  const auto require = [](bool has, std::string_view what) {
    require_expressible(has, what, "BERT of Hugging Face");
  };
  const auto& config = model.config;
  const auto& transformer = config.transformer;
  require(
      transformer.d_k * transformer.heads == config.d_model && transformer.d_v == transformer.d_k,
      "d-k and d-v must be d-model / heads");
  require(model.vocabulary->type() == text::VocabularyType::kBert,
          "the vocabulary must be of type bert");
}

std::string_view architecture_of(const model::BertConfig& bert) {
  if (bert.task == Task::kClassify) return "BertForSequenceClassification";
  if (bert.task == Task::kTag) return "BertForTokenClassification";
  return bert.next_sentence == model::Switch::kOn ? "BertForPreTraining" : "BertForMaskedLM";
}

/// The members that name the labels, if there are any.
std::string label_members(const std::vector<std::string>& labels) {
  if (labels.empty()) return {};
  std::string names, ids;
  for (std::size_t id = 0; id < labels.size(); ++id) {
    const auto label = base::json_string(labels[id]);
    names += base::concat(id == 0 ? "" : ", ", "\"", id, "\": ", label);
    ids += base::concat(id == 0 ? "" : ", ", label, ": ", id);
  }
  return base::concat("  \"id2label\": {", names, "},\n  \"label2id\": {", ids, "},\n");
}

std::string config_text(const ConvertedModel& model) {
  const auto& config = model.config;
  const auto& transformer = config.transformer;
  const bool is_swish = transformer.activation == nn::Activation::kSwish;
  return base::concat(
      "{\n  \"architectures\": [\"", architecture_of(config.bert),
      "\"],\n  \"attention_probs_dropout_prob\": ", transformer.attention_dropout,
      ",\n  \"hidden_act\": \"", is_swish ? "silu" : nn::name_of(transformer.activation),
      "\",\n  \"hidden_dropout_prob\": ", config.dropout, ",\n  \"hidden_size\": ", config.d_model,
      ",\n", label_members(config.bert.labels), "  \"intermediate_size\": ", transformer.d_ff,
      ",\n  \"layer_norm_eps\": ", transformer.norm_epsilon,
      ",\n  \"max_position_embeddings\": ", config.max_positions,
      ",\n  \"model_type\": \"bert\",\n  \"num_attention_heads\": ", transformer.heads,
      ",\n  \"num_hidden_layers\": ", config.encoder_layers,
      ",\n  \"pad_token_id\": ", model.vocabulary->id(text::BertPieces::kPadding),
      ",\n  \"position_embedding_type\": \"absolute\",\n  \"type_vocab_size\": 2,\n"
      "  \"vocab_size\": ",
      config.vocabulary, "\n}\n");
}

std::string tokenizer_text(const ConvertedModel& model) {
  const bool lowers = model.vocabulary->form().letter_case == text::LetterCase::kLower;
  return base::concat("{\n  \"do_lower_case\": ", lowers ? "true" : "false",
                      ",\n  \"model_max_length\": ", model.config.max_positions,
                      ",\n  \"tokenizer_class\": \"BertTokenizer\"\n}\n");
}

std::string pieces_text(const text::Vocabulary& vocabulary) {
  std::string text;
  for (std::uint32_t id = 0; id < vocabulary.size(); ++id)
    text += base::concat(vocabulary.piece(id), "\n");
  return text;
}

/// The values in the order of their file.
std::vector<float> ordered(const std::vector<float>& values, const model::WeightShape& weight,
                           Location::Order order) {
  if (order == Location::Order::kSame) return values;
  std::vector<float> transposed;
  transposed.reserve(values.size());
  for (std::size_t column = 0; column < weight.columns; ++column) {
    for (std::size_t row = 0; row < weight.rows; ++row)
      transposed.push_back(values[row * weight.columns + column]);
  }
  return transposed;
}

void write_weights(const std::string& path, const ConvertedModel& model) {
  std::vector<std::vector<float>> values;
  std::vector<store::Array> arrays;
  for (const auto& weight : model::bert_weights(model.config)) {
    const auto location = bert_location(weight, [](std::string_view) { return false; });
    values.push_back(ordered(model.weights.at(weight.name()), weight, location.order));
    std::vector<std::uint64_t> shape{weight.rows, weight.columns};
    if (location.order == Location::Order::kTransposed) shape = {weight.columns, weight.rows};
    if (is_bert_vector(weight)) shape = {values.back().size()};
    arrays.push_back({location.name, store::Type::F32, shape, {}});
  }
  for (std::size_t i = 0; i < arrays.size(); ++i)
    arrays[i].bytes = std::as_bytes(std::span(values[i]));
  // Without this member, transformers do not read the file.
  store::write_arrays(path, arrays, {{"format", "pt"}});
}

}  // namespace

void write_hugging_face_bert(const std::string& directory, const ConvertedModel& model) {
  require_bert(model);
  base::OutputDirectory output(directory);
  output.write("config.json", config_text(model));
  output.write("tokenizer_config.json", tokenizer_text(model));
  output.write("vocab.txt", pieces_text(*model.vocabulary));
  output.write_by("model.safetensors",
                  [&](const std::string& path) { write_weights(path, model); });
  output.commit();
}

}  // namespace awend::interchange
