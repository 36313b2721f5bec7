// Writes BERT for transformers of Hugging Face.

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/output_directory.hpp"
#include "interchange/hugging_face_bert.hpp"
#include "interchange/hugging_face_files.hpp"
#include "interchange/streamed_weights.hpp"
#include "interchange/transformer_settings.hpp"
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
  require(config.bert.metric.kind == model::MetricKind::kNone, "the model must not be a metric");
  require(config.bert.segments == 2 && config.bert.first_position == 0,
          "the model must not be XLM-RoBERTa");
  require(model.vocabulary->type() == text::VocabularyType::kBert,
          "the vocabulary must be of type bert");
}

std::string_view architecture_of(const model::BertConfig& bert) {
  if (bert.task == Task::kClassify) return "BertForSequenceClassification";
  if (bert.task == Task::kTag) return "BertForTokenClassification";
  if (bert.task == Task::kSpans) return "BertForQuestionAnswering";
  return bert.next_sentence == model::Switch::kOn ? "BertForPreTraining" : "BertForMaskedLM";
}

/// The members that name the labels, if there are any.
void add_labels(base::JsonObject& object, const std::vector<std::string>& labels) {
  if (labels.empty()) return;
  base::JsonObject names(base::kSpacedObject), ids(base::kSpacedObject);
  for (std::size_t id = 0; id < labels.size(); ++id) {
    names.text(base::concat(id), labels[id]);
    ids.count(labels[id], id);
  }
  object.value("id2label", names.str()).value("label2id", ids.str());
}

std::string config_text(const ConvertedModel& model) {
  const auto& config = model.config;
  const bool is_swish = config.transformer.activation == nn::Activation::kSwish;
  base::JsonObject object(base::kObjectOfLines);
  object.value("architectures", base::concat("[\"", architecture_of(config.bert), "\"]"));
  object.number("attention_probs_dropout_prob", config.transformer.attention_dropout);
  object.text("hidden_act",
              is_swish ? "silu" : hugging_face_activation(config.transformer.activation));
  object.number("hidden_dropout_prob", config.dropout).count("hidden_size", config.d_model);
  add_labels(object, config.bert.labels);
  object.count("intermediate_size", config.transformer.d_ff)
      .number("layer_norm_eps", config.transformer.norm_epsilon);
  object.count("max_position_embeddings", config.max_positions).text("model_type", "bert");
  object.count("num_attention_heads", config.transformer.heads);
  object.count("num_hidden_layers", config.encoder_layers);
  object.count("pad_token_id", model.vocabulary->id(text::BertPieces::kPadding));
  object.text("position_embedding_type", "absolute").count("type_vocab_size", 2);
  return object.count("vocab_size", config.vocabulary).str() + "\n";
}

std::string tokenizer_text(const ConvertedModel& model) {
  base::JsonObject object(base::kObjectOfLines);
  object.flag("do_lower_case", model.vocabulary->form().letter_case == text::LetterCase::kLower);
  object.count("model_max_length", model.config.max_positions);
  return object.text("tokenizer_class", "BertTokenizer").str() + "\n";
}

std::string pieces_text(const text::Vocabulary& vocabulary) {
  std::string text;
  for (std::uint32_t id = 0; id < vocabulary.size(); ++id)
    text += base::concat(vocabulary.piece(id), "\n");
  return text;
}

void write_weights(const std::string& path, const ConvertedModel& model) {
  std::vector<store::StreamedArray> arrays;
  for (const auto& weight : model::bert_weights(model.config)) {
    const auto location = bert_location(weight, [](std::string_view) { return false; });
    arrays.push_back(streamed(model, weight, location));
    if (is_bert_vector(weight)) arrays.back().shape = {store::count_of(arrays.back().shape)};
  }
  // Without this member, transformers do not read the file.
  store::write_arrays(path, arrays, {{"format", "pt"}});
}

}  // namespace

void write_hugging_face_bert(const std::string& directory, const ConvertedModel& model) {
  require_bert(model);
  base::OutputDirectory output(directory, kHuggingFaceFiles);
  output.write("config.json", config_text(model));
  output.write("tokenizer_config.json", tokenizer_text(model));
  output.write("vocab.txt", pieces_text(*model.vocabulary));
  output.write_by("model.safetensors",
                  [&](const std::string& path) { write_weights(path, model); });
  output.commit();
}

}  // namespace awend::interchange
