#include "model/bert/bert_fields.hpp"

#include "base/error.hpp"

namespace awend::model {
namespace {

using base::DefaultFrom;
using base::Stored;
using base::word_field;

constexpr base::Word<Task> kTasks[] = {{Task::kPretrain, "pretrain"},
                                       {Task::kClassify, "classify"},
                                       {Task::kTag, "tag"},
                                       {Task::kSpans, "spans"}};

constexpr std::string_view kBertGroup = "BERT";

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

constexpr base::Field<Config> kBertFields[] = {
    word_field<kTasks, &Config::bert, &BertConfig::task>(
        {.name = "task",
         .metavar = "TASK",
         .group = kBertGroup,
         .help = "pretrain, classify (one label per line), tag (one label per token) or spans "
                 "(answers in a passage); default: pretrain, or classify if there is a target",
         .default_from = DefaultFrom::kPreset}),
    word_field<kSwitchWords, &Config::bert, &BertConfig::next_sentence>(
        {.name = "next-sentence",
         .metavar = "SWITCH",
         .group = kBertGroup,
         .help = "pre-train on pairs of lines, and predict whether the second follows the first"}),
    base::real_field<&Config::bert, &BertConfig::mask_rate>(
        {.name = "mask-rate",
         .metavar = "P",
         .group = kBertGroup,
         .help = "share of the tokens to predict in pre-training"},
        {0.01, 0.9}),
    word_field<kSwitchWords, &Config::bert, &BertConfig::whole_words>(
        {.name = "whole-words",
         .metavar = "SWITCH",
         .group = kBertGroup,
         .help = "mask all tokens of a word together; tokens that begin with ## continue a word"}),
    base::Field<Config>{
        {.name = "labels", .stored = Stored::kUnlessDefault},
        base::AnyText{},
        [](const Config& config) { return base::join(config.bert.labels, " "); },
        [](Config& config, std::string_view text) { config.bert.labels = split_words(text); }},
};

}  // namespace

std::span<const base::Field<Config>> bert_fields() {
  return kBertFields;
}

void require_consistent_bert(const Config& config) {
  if (config.bert.task == Task::kPretrain) return;
  if (config.bert.whole_words == Switch::kOn) base::fail("whole-words needs task pretrain");
}

Config with_fixed_settings(Config config) {
  auto& transformer = config.transformer;
  config.decoder_layers = 0;
  transformer.positions = Positions::kLearned;
  transformer.norm = Norm::kPost;
  transformer.attention_bias = transformer.output_bias = transformer.embedding_norm = Switch::kOn;
  transformer.embedding_scale = nn::EmbeddingScale::kOne;
  transformer.source_end = Switch::kOn;
  config.source_vocabulary = 0;
  return config;
}

Config bert_preset(std::string_view name) {
  Config config;
  auto& transformer = config.transformer;
  config.architecture = "bert";
  transformer.activation = nn::Activation::kGelu;
  transformer.norm_epsilon = 1e-12;
  config.label_smoothing = 0;
  transformer.attention_dropout = config.dropout = 0.1;
  if (name == "bert-base") {
    config.d_model = 768;
    transformer.d_ff = 3072;
    transformer.heads = 12;
    config.encoder_layers = 12;
    config.max_positions = 512;
    return with_fixed_settings(config);
  }
  config.d_model = 128;
  transformer.d_ff = 512;
  transformer.heads = 4;
  transformer.d_k = transformer.d_v = 32;
  config.encoder_layers = 2;
  config.max_positions = 256;
  transformer.attention_dropout = 0;
  return with_fixed_settings(config);
}

}  // namespace awend::model
