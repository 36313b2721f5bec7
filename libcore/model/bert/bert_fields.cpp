#include "model/bert/bert_fields.hpp"

#include "base/error.hpp"
#include "model/weight_layout.hpp"

namespace awend::model {
namespace {

using base::DefaultFrom;
using base::Stored;
using base::word_field;

constexpr base::Word<Task> kTasks[] = {{Task::kPretrain, "pretrain"},
                                       {Task::kClassify, "classify"},
                                       {Task::kTag, "tag"},
                                       {Task::kSpans, "spans"}};

constexpr base::Word<MetricKind> kMetricKinds[] = {{MetricKind::kNone, "none"},
                                                   {MetricKind::kReference, "reference"},
                                                   {MetricKind::kSource, "source"},
                                                   {MetricKind::kJoint, "joint"}};
constexpr base::Word<MetricInputs> kMetricInputs[] = {{MetricInputs::kSource, "source"},
                                                      {MetricInputs::kReference, "reference"},
                                                      {MetricInputs::kBoth, "both"}};
constexpr base::Word<MetricPooling> kMetricPoolings[] = {{MetricPooling::kMean, "mean"},
                                                         {MetricPooling::kFirst, "first"}};
constexpr base::Word<MetricActivation> kMetricActivations[] = {
    {MetricActivation::kNone, "none"},
    {MetricActivation::kTanh, "tanh"},
    {MetricActivation::kSigmoid, "sigmoid"},
    {MetricActivation::kRelu, "relu"},
    {MetricActivation::kGelu, "gelu"}};

constexpr std::string_view kBertGroup = "BERT";

/// Of settings that only converted models have.
constexpr base::FieldText stored_as(std::string_view name) {
  return {.name = name, .stored = Stored::kUnlessDefault};
}

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
         .help = "pre-training, a label per line, a label per token or answers in a passage "
                 "(default: classify if there is a target, otherwise pretrain)",
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
    base::integer_field<&Config::bert, &BertConfig::segments>(stored_as("segments"),
                                                              {.min = 1, .max = 2}),
    base::integer_field<&Config::bert, &BertConfig::first_position>(
        stored_as("first-text-position"), {.min = 0, .max = 1'000'000}),
    word_field<kMetricKinds, &Config::bert, &BertConfig::metric, &MetricConfig::kind>(
        stored_as("metric")),
    word_field<kMetricInputs, &Config::bert, &BertConfig::metric, &MetricConfig::inputs>(
        stored_as("metric-inputs")),
    word_field<kMetricPoolings, &Config::bert, &BertConfig::metric, &MetricConfig::pooling>(
        stored_as("metric-pooling")),
    word_field<kSwitchWords, &Config::bert, &BertConfig::metric, &MetricConfig::layer_norm>(
        stored_as("metric-layer-norm")),
    word_field<kMetricActivations, &Config::bert, &BertConfig::metric, &MetricConfig::activation>(
        stored_as("metric-activation")),
    word_field<kMetricActivations, &Config::bert, &BertConfig::metric,
               &MetricConfig::final_activation>(stored_as("metric-final-activation")),
    base::Field<Config>{stored_as("metric-hidden"), base::AnyText{},
                        [](const Config& config) {
                          std::vector<std::string> sizes;
                          for (const auto size : config.bert.metric.hidden)
                            sizes.push_back(base::concat(size));
                          return base::join(sizes, " ");
                        },
                        [](Config& config, std::string_view text) {
                          config.bert.metric.hidden.clear();
                          for (const auto& size : split_words(text))
                            config.bert.metric.hidden.push_back(
                                base::to_number<std::uint32_t>(size, "the size of a layer"));
                        }},
};

}  // namespace

std::span<const base::Field<Config>> bert_fields() {
  return kBertFields;
}

void require_consistent_bert(const Config& config) {
  constexpr std::uint32_t kMaxHidden = 1 << 16;
  constexpr std::size_t kMaxLayers = 16;
  const auto& metric = config.bert.metric;
  if (config.bert.first_position >= config.max_positions)
    base::fail("first-text-position must be less than max-positions");
  if (metric.kind != MetricKind::kNone) {
    if (config.bert.task != Task::kPretrain) base::fail("a metric needs task pretrain");
    if (metric.hidden.empty() || metric.hidden.size() > kMaxLayers)
      base::fail("metric-hidden must list 1 to ", kMaxLayers, " sizes");
    for (const auto size : metric.hidden) {
      if (size == 0 || size > kMaxHidden)
        base::fail("metric-hidden: a size must be in [1, ", kMaxHidden, "], got ", size);
    }
    constexpr std::uint64_t kMaxNumbers = std::uint64_t{1} << 31;
    for (const auto& [inputs, outputs] : estimator_layers(config)) {
      if (std::uint64_t{inputs} * outputs > kMaxNumbers)
        base::fail("metric-hidden: a layer of ", inputs, " inputs and ", outputs,
                   " outputs is too large");
    }
  }
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
