// Reads BERT of Hugging Face transformers.
#include "interchange/hugging_face_bert.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "interchange/foreign_weights.hpp"
#include "interchange/hugging_face_files.hpp"
#include "interchange/hugging_face_languages.hpp"
#include "interchange/token_list.hpp"
#include "interchange/transformer_settings.hpp"
#include "store/json_text.hpp"
#include "text/bert/word_pieces.hpp"

namespace awend::interchange {
namespace {

using model::Switch;
using model::Task;

// The bias of an output that is never the most probable one.
constexpr float kNever = -1e9f;

/// What the architecture of the original implies for its heads.
struct Heads {
  Task task;
  bool predicts_masked;  ///< Whether the original has a head for masked tokens.
  bool has_pairs;        ///< Whether it has one for the next sentence.
};

Heads heads_of(ForeignSettings& settings) {
  auto names = settings.text("architectures", "null");
  if (names == "null" || names == "[\"BertModel\"]") return {Task::kPretrain, false, false};
  if (names == "[\"BertForMaskedLM\"]") return {Task::kPretrain, true, false};
  if (names == "[\"BertForPreTraining\"]") return {Task::kPretrain, true, true};
  if (names == "[\"BertForSequenceClassification\"]") return {Task::kClassify, false, false};
  if (names == "[\"BertForTokenClassification\"]") return {Task::kTag, false, false};
  if (names == "[\"BertForQuestionAnswering\"]") return {Task::kSpans, false, false};
  base::fail("setting 'architectures': ", names, " is not supported");
}

void require_supported(ForeignSettings& settings) {
  settings.require("position_embedding_type", {"absolute"}, "another kind of positions");
  settings.require("is_decoder", {"false", "null"}, "a decoder");
  settings.require("add_cross_attention", {"false", "null"}, "cross-attention");
  settings.require("is_encoder_decoder", {"false", "null"}, "an encoder-decoder");
  settings.require("tie_word_embeddings", {"true"}, "a projection of its own");
  settings.require("pruned_heads", {"{}", "null"}, "pruning of heads");
  settings.require("problem_type", {"null", "single_label_classification"},
                   "another kind of classification");
}

/// A label as a word: those of a model are separated by spaces.
std::string label_of(std::string label) {
  for (const std::string_view space : {" ", "\t", "\n", "\r"}) {
    for (std::size_t at; (at = label.find(space)) != label.npos;) label[at] = '_';
  }
  return label;
}

/// The labels in the order of their ids; those without names have the names that transformers
/// gives them.
std::vector<std::string> labels_in(ForeignSettings& settings) {
  constexpr std::uint32_t kMaxLabels = 1 << 16;
  const auto names = settings.text("id2label", "null");
  const auto count = settings.count("num_labels", 2);
  std::vector<std::string> labels;
  if (names == "null") {
    if (count > kMaxLabels)
      base::fail("setting 'num_labels' is ", count, ", more than ", kMaxLabels);
    for (std::uint32_t id = 0; id < count; ++id) labels.push_back(base::concat("LABEL_", id));
    return labels;
  }
  const auto members = store::json_members(names);
  for (std::size_t id = 0; id < members.size(); ++id) {
    const auto found = members.find(base::concat(id));
    if (found == members.end()) base::fail("setting 'id2label' has no label ", id);
    if (found->second.empty()) base::fail("setting 'id2label': label ", id, " is empty");
    const auto label = label_of(found->second);
    if (std::ranges::find(labels, label) != labels.end())
      base::fail("setting 'id2label': the label '", label, "' is duplicated");
    labels.push_back(label);
  }
  return labels;
}

/// The heads that the original does not have, so that the model can be trained further: the head of
/// masked tokens passes its input on, and that of the next sentence has no preference.
class MissingHeads {
 public:
  MissingHeads(const Heads& heads, const HasArray& has)
      : masked_(!heads.predicts_masked && !has("cls.predictions.transform.dense.weight")),
        pairs_(!heads.has_pairs && !has("cls.seq_relationship.weight")) {}

  Location operator()(const model::WeightShape& weight, Location location) const {
    const bool is_missing = (masked_ && weight.part.starts_with("masked.")) ||
                            (pairs_ && weight.part.starts_with("next_sentence"));
    if (is_missing) location.if_missing = weight.part.ends_with(".gain") ? 1.0f : 0.0f;
    return location;
  }

  void complete(ConvertedModel& model) const {
    const auto& config = model.config;
    if (config.bert.task != Task::kPretrain) return;
    if (masked_) {
      add_unit_head(model);
      model.notes.emplace_back(
          "the original has no head for masked tokens; train the model before it fills masks");
    }
    if (pairs_ && config.bert.next_sentence == Switch::kOn)
      model.notes.emplace_back("the original has no head for the next sentence");
  }

 private:
  bool masked_, pairs_;
};

void read_weights(store::StridedArrays arrays, const Heads& heads, ConvertedModel& model) {
  ForeignWeights weights(std::move(arrays));
  const HasArray has = [&](std::string_view array) { return weights.has(array); };
  const bool has_pooler = has("bert.pooler.dense.weight") || has("pooler.dense.weight");
  if (heads.task == Task::kPretrain && !has_pooler && !heads.has_pairs)
    model.config.bert.next_sentence = Switch::kOff;
  const MissingHeads missing(heads, has);
  weights.read_all(model, [&](const model::WeightShape& weight) {
    return missing(weight, bert_location(weight, has));
  });
  missing.complete(model);
  // Numbers of positions, copies of tied weights, and heads that the architecture does not use.
  for (const char* name :
       {"bert.embeddings.position_ids", "embeddings.position_ids", "bert.embeddings.token_type_ids",
        "embeddings.token_type_ids", "cls.predictions.decoder.*", "cls.predictions.bias"})
    weights.ignore(name);
  if (heads.task != Task::kPretrain) {
    for (const char* name : {"cls.*", "bert.pooler.*"}) weights.ignore(name);
  }
  weights.require_all_known();
}

/// Whether a piece other than the special ones has a capital letter of ASCII.
bool has_capitals(std::string_view list) {
  while (!list.empty()) {
    const auto piece = list.substr(0, list.find('\n'));
    list.remove_prefix(std::min(piece.size() + 1, list.size()));
    const auto is_capital = [](char letter) { return letter >= 'A' && letter <= 'Z'; };
    if (!piece.starts_with('[') && std::ranges::any_of(piece, is_capital)) return true;
  }
  return false;
}

/// The setting `do_lower_case` of one of the two files, or nothing.
std::optional<text::LetterCase> case_in(ForeignSettings& settings) {
  if (settings.text("do_lower_case", "null") == "null") return std::nullopt;
  return settings.is_on("do_lower_case") ? text::LetterCase::kLower : text::LetterCase::kKeep;
}

/// Throws Error unless the setting is the token; it may also be an object with its text.
void require_token(ForeignSettings& settings, const std::string& name, std::string_view token,
                   std::string_view what) {
  const auto value = settings.text(name, "null");
  if (value.starts_with('{'))
    settings.set(name, store::json_text_at(value, {"content"}).value_or(value));
  settings.require(name, {token, "null"}, what);
}

std::optional<text::LetterCase> read_tokenizer(ModelFiles& files) {
  const std::string name = "tokenizer_config.json";
  if (!files.has(name)) return std::nullopt;
  return with_name_once(files.path_of(name), [&] {
    auto settings = ForeignSettings::from_json(files.text(name));
    settings.require("tokenizer_class", {"BertTokenizer", "BertTokenizerFast", "null"},
                     "another tokenizer");
    settings.require("do_basic_tokenize", {"true", "null"}, "text that is split already");
    settings.require("tokenize_chinese_chars", {"true", "null"}, "Chinese text that is not split");
    const auto letter_case = case_in(settings);
    const bool lowers = letter_case.value_or(text::LetterCase::kLower) == text::LetterCase::kLower;
    settings.require("strip_accents", {"null", lowers ? "true" : "false"},
                     "this treatment of accents in this case");
    require_token(settings, "unk_token", text::BertPieces::kUnknown, "another unknown token");
    require_token(settings, "cls_token", text::BertPieces::kClass, "another first token");
    require_token(settings, "sep_token", text::BertPieces::kSeparator, "another separator");
    require_token(settings, "mask_token", text::BertPieces::kMask, "another mask");
    require_token(settings, "pad_token", text::BertPieces::kPadding, "another padding");
    return letter_case;
  });
}

/// The piece of an id without a token.
std::string placeholder_of(std::size_t id) {
  return base::concat("<id:", id, ">");
}

/// The list with the tokens that the files add, and placeholders for ids without a token.
std::string with_added_tokens(ModelFiles& files, std::string_view list, std::uint32_t vocabulary) {
  auto tokens = tokens_of_lines(list);
  const auto first = tokens.size();
  append_added_tokens(files, vocabulary, tokens);
  std::string all(list);
  if (first < tokens.size() && !all.empty() && all.back() != '\n') all += '\n';
  for (std::size_t id = first; id < tokens.size(); ++id) {
    const bool is_usable = !tokens[id].empty() && tokens[id].find_first_of(" \t\r\n") == all.npos;
    all += base::concat(is_usable ? tokens[id] : placeholder_of(id), "\n");
  }
  return all;
}

void read_vocabulary(ModelFiles& files, std::optional<text::LetterCase> letter_case,
                     ConvertedModel& model) {
  const std::string name = "vocab.txt";
  if (!files.has(name)) base::fail(files.path_of(name), ": no such file next to the weights");
  const auto list = files.text(name);
  if (const auto own = read_tokenizer(files)) letter_case = own;
  if (!letter_case) {
    letter_case = has_capitals(list) ? text::LetterCase::kKeep : text::LetterCase::kLower;
    model.notes.push_back(
        base::concat("no setting 'do_lower_case'; ",
                     has_capitals(list) ? "a piece has a capital letter, so case is kept"
                                        : "no piece has a capital letter, so text is lowercased"));
  }
  model.vocabulary =
      text::import_word_pieces(with_added_tokens(files, list, model.config.vocabulary),
                               files.path_of(name), *letter_case, text::BertRules::kHuggingFace);
  with_name_once(files.path_of(name), [&] {
    require_size("the vocabulary", model.vocabulary->size(), model.config.vocabulary);
  });
}

/// A head for masked tokens does not predict ids without a token.
void mask_padding(ConvertedModel& model) {
  if (model.config.bert.task != Task::kPretrain) return;
  const auto& vocabulary = *model.vocabulary;
  for (std::uint32_t id = 0; id < vocabulary.size(); ++id) {
    if (vocabulary.piece(id) == placeholder_of(id)) model.weights["masked.bias"][id] = kNever;
  }
}

}  // namespace

model::Config bert_config_of(ForeignSettings& settings) {
  require_supported(settings);
  auto config = model::preset("bert-base");
  auto& transformer = config.transformer;
  config.vocabulary = settings.count("vocab_size");
  config.d_model = settings.count("hidden_size");
  transformer.d_ff = settings.count("intermediate_size");
  transformer.heads = settings.count("num_attention_heads");
  set_head_sizes(config);
  config.encoder_layers = settings.count("num_hidden_layers");
  config.max_positions = settings.count("max_position_embeddings");
  transformer.activation = activation_in(settings, "hidden_act");
  transformer.norm_epsilon = settings.real("layer_norm_eps", transformer.norm_epsilon);
  config.dropout = settings.real("hidden_dropout_prob", config.dropout);
  transformer.attention_dropout =
      settings.real("attention_probs_dropout_prob", transformer.attention_dropout);
  return config;
}

void ignore_bert_settings(ForeignSettings& settings) {
  ignore_common_settings(settings);
  // The pooler's sizes are not used by transformers, and names and languages are for users; the
  // rest concerns training and generation.
  settings.ignore({"attention_dropout",
                   "bad_words_ids",
                   "classifier_dropout",
                   "decoder_start_token_id",
                   "directionality",
                   "diversity_penalty",
                   "do_sample",
                   "early_stopping",
                   "encoder_no_repeat_ngram_size",
                   "eos_token_ids",
                   "forced_bos_token_id",
                   "forced_eos_token_id",
                   "initializer_range",
                   "label2id",
                   "language",
                   "length_penalty",
                   "max_length",
                   "min_length",
                   "name",
                   "no_repeat_ngram_size",
                   "num_beam_groups",
                   "num_beams",
                   "num_return_sequences",
                   "output_scores",
                   "pad_token_id",
                   "pooler_*",
                   "repetition_penalty",
                   "suppress_tokens",
                   "begin_suppress_tokens",
                   "temperature",
                   "tie_encoder_decoder",
                   "top_k",
                   "top_p",
                   "typical_p"});
}

void read_bert_labels(ForeignSettings& settings, Task task, ConvertedModel& model) {
  const auto labels = labels_in(settings);
  model.config.bert.task = task;
  if (task == Task::kPretrain || task == Task::kSpans) return;
  if (labels.size() < 2) base::fail("models of ", labels.size(), " label are not supported");
  model.config.bert.labels = labels;
}

void add_unit_head(ConvertedModel& model) {
  const std::size_t d_model = model.config.d_model;
  auto& dense = model.weights["masked.dense"];
  for (std::size_t i = 0; i < d_model; ++i) dense[i * d_model + i] = 1;
}

ConvertedModel read_hugging_face_bert(ModelFiles& files, const std::string& name) {
  ConvertedModel model;
  Heads heads{};
  std::optional<text::LetterCase> letter_case;
  with_name_once(files.path_of(kConfigName), [&] {
    auto settings = ForeignSettings::from_json(files.text(kConfigName));
    settings.text("model_type");
    heads = heads_of(settings);
    settings.require("type_vocab_size", {"2"}, "a number of segments other than 2");
    model.config = bert_config_of(settings);
    read_bert_labels(settings, heads.task, model);
    letter_case = case_in(settings);
    ignore_bert_settings(settings);
    settings.require_all_known();
  });
  read_arrays(files, name,
              [&](FileArrays file) { read_weights(std::move(file.arrays), heads, model); });
  read_vocabulary(files, letter_case, model);
  mask_padding(model);
  return model;
}

}  // namespace awend::interchange
