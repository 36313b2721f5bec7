#include "model/transformer/transformer_fields.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "model/setting_names.hpp"

namespace awend::model {
namespace {

using base::DefaultFrom;
using base::integer_field;
using base::real_field;
using base::Stored;
using base::word_field;

constexpr base::Word<Positions> kPositions[] = {{Positions::kSinusoid, "sinusoid"},
                                                {Positions::kLearned, "learned"},
                                                {Positions::kStored, "stored"},
                                                {Positions::kRelative, "relative"}};
constexpr base::Word<Norm> kNorms[] = {{Norm::kPost, "post"}, {Norm::kPre, "pre"}};
constexpr base::Word<nn::EmbeddingScale> kScales[] = {
    {nn::EmbeddingScale::kRootOfColumns, "sqrt-d-model"}, {nn::EmbeddingScale::kOne, "none"}};
constexpr base::Word<FinalNorm> kFinalNorms[] = {{FinalNorm::kAuto, "auto"},
                                                 {FinalNorm::kNone, "none"},
                                                 {FinalNorm::kEncoder, "encoder"},
                                                 {FinalNorm::kDecoder, "decoder"},
                                                 {FinalNorm::kBoth, "both"}};
constexpr base::Word<SinusoidLayout> kLayouts[] = {
    {SinusoidLayout::kInterleaved, "interleaved"},
    {SinusoidLayout::kHalves, "halves"},
    {SinusoidLayout::kHalvesMinusOne, "halves-minus-one"}};
constexpr base::Word<DecoderStart> kStarts[] = {{DecoderStart::kZero, "zero"},
                                                {DecoderStart::kToken, "token"}};
constexpr base::Word<AutoregressiveLayer> kAutoregressiveLayers[] = {
    {AutoregressiveLayer::kSelfAttention, "self-attention"}, {AutoregressiveLayer::kSsru, "ssru"}};
constexpr base::Word<nn::Activation> kActivations[] = {
    {nn::Activation::kRelu, name_of(nn::Activation::kRelu)},
    {nn::Activation::kGelu, name_of(nn::Activation::kGelu)},
    {nn::Activation::kSwish, name_of(nn::Activation::kSwish)},
    {nn::Activation::kGeluTanh, name_of(nn::Activation::kGeluTanh)},
    {nn::Activation::kGeluSigmoid, name_of(nn::Activation::kGeluSigmoid)}};
constexpr base::Word<NormKind> kNormKinds[] = {{NormKind::kLayer, "layer"},
                                               {NormKind::kRms, "rms"}};
constexpr base::Word<FeedForwardKind> kFeedForwardKinds[] = {{FeedForwardKind::kPlain, "plain"},
                                                             {FeedForwardKind::kGated, "gated"}};
constexpr base::Word<AttentionScale> kAttentionScales[] = {
    {AttentionScale::kInverseRootOfKeys, "inverse-sqrt-d-k"}, {AttentionScale::kOne, "none"}};
constexpr base::Word<OutputScale> kOutputScales[] = {
    {OutputScale::kOne, "none"}, {OutputScale::kInverseRootOfColumns, "inverse-sqrt-d-model"}};

constexpr std::string_view kModel = "Model (defaults depend on the preset)";
// How other toolkits differ from the paper.
constexpr std::string_view kVariants = "Model variants";

constexpr base::Integers kCount{.min = 1};
constexpr base::Reals kProbability{0, 0.99};

std::string ids_text(const std::vector<std::uint32_t>& ids) {
  std::string text;
  for (const std::uint32_t id : ids) text += base::concat(text.empty() ? "" : ",", id);
  return text;
}

/// Ascending and distinct, as kernels require.
std::vector<std::uint32_t> parse_ids(std::string_view text) {
  std::vector<std::uint32_t> ids;
  for (const auto& item : base::split_list(text))
    ids.push_back(base::to_number<std::uint32_t>(item, "an id"));
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

// Checkpoints carry them in this order.
constexpr base::Field<Config> kFields[] = {
    // Transformers do not carry it, so that their checkpoints keep their bytes.
    base::text_field<&Config::architecture>(
        {.name = "architecture", .stored = Stored::kUnlessDefault}),
    integer_field<&Config::vocabulary>({.name = "vocabulary"}, kCount),
    integer_field<&Config::d_model>({.name = "d-model",
                                     .group = kModel,
                                     .help = "model dimension",
                                     .default_from = DefaultFrom::kPreset},
                                    kWidth),
    integer_field<&Config::transformer, &TransformerConfig::d_ff>(
        {.name = "d-ff",
         .group = kModel,
         .help = "inner dimension of the feed-forward layers",
         .default_from = DefaultFrom::kPreset},
        kWidth),
    integer_field<&Config::transformer, &TransformerConfig::heads>(
        {.name = "heads",
         .group = kModel,
         .help = "number of attention heads",
         .default_from = DefaultFrom::kPreset},
        {.min = 1, .max = 256}),
    integer_field<&Config::transformer, &TransformerConfig::d_k>(
        {.name = "d-k",
         .group = kModel,
         .help = "dimension of queries and keys per head; default: d-model / heads",
         .default_from = DefaultFrom::kPreset},
        kWidth),
    integer_field<&Config::transformer, &TransformerConfig::d_v>(
        {.name = "d-v",
         .group = kModel,
         .help = "dimension of values per head; default: d-model / heads",
         .default_from = DefaultFrom::kPreset},
        kWidth),
    integer_field<&Config::encoder_layers>({.name = "encoder-layers",
                                            .group = kModel,
                                            .help = "number of encoder layers",
                                            .default_from = DefaultFrom::kPreset},
                                           kLayers),
    integer_field<&Config::decoder_layers>({.name = "decoder-layers",
                                            .group = kModel,
                                            .help = "number of decoder layers",
                                            .default_from = DefaultFrom::kPreset},
                                           kLayers),
    real_field<&Config::dropout>({.name = "dropout",
                                  .metavar = "P",
                                  .group = kRegularization,
                                  .help = "dropout on sub-layer outputs and embeddings",
                                  .default_from = DefaultFrom::kPreset},
                                 kProbability),
    real_field<&Config::transformer, &TransformerConfig::attention_dropout>(
        {.name = "attention-dropout",
         .metavar = "P",
         .group = kRegularization,
         .help = "dropout on attention weights",
         .default_from = DefaultFrom::kPreset},
        kProbability),
    real_field<&Config::transformer, &TransformerConfig::relu_dropout>(
        {.name = "relu-dropout",
         .metavar = "P",
         .group = kRegularization,
         .help = "dropout after the feed-forward activation",
         .default_from = DefaultFrom::kPreset},
        kProbability),
    real_field<&Config::label_smoothing>({.name = "label-smoothing",
                                          .metavar = "P",
                                          .group = kRegularization,
                                          .help = "label smoothing factor",
                                          .default_from = DefaultFrom::kPreset},
                                         kProbability),
    word_field<kPositions, &Config::transformer, &TransformerConfig::positions>(
        {.name = "positions",
         .metavar = "KIND",
         .group = kModel,
         .help = "positional encoding",
         .default_from = DefaultFrom::kPreset}),
    word_field<kNorms, &Config::transformer, &TransformerConfig::norm>(
        {.name = "norm",
         .metavar = "WHERE",
         .group = kModel,
         .help = "position of layer normalization",
         .default_from = DefaultFrom::kPreset}),
    word_field<kTieWords, &Config::transformer, &TransformerConfig::tie>(
        {.name = "tie",
         .metavar = "WHICH",
         .group = kModel,
         .help = "weight tying of embeddings and output projection",
         .default_from = DefaultFrom::kPreset}),
    word_field<kActivations, &Config::transformer, &TransformerConfig::activation>(
        {.name = "activation",
         .metavar = "KIND",
         .group = kModel,
         .help = "activation of the feed-forward layers",
         .default_from = DefaultFrom::kPreset}),
    integer_field<&Config::max_positions>({.name = "max-positions"}, kCount),
    word_field<kSwitchWords, &Config::transformer, &TransformerConfig::attention_bias>(
        {.name = "attention-bias",
         .metavar = "SWITCH",
         .group = kVariants,
         .help = "biases of the projections of attention",
         .stored = Stored::kUnlessDefault}),
    word_field<kSwitchWords, &Config::transformer, &TransformerConfig::output_bias>(
        {.name = "output-bias",
         .metavar = "SWITCH",
         .group = kVariants,
         .help = "bias of the output projection",
         .stored = Stored::kUnlessDefault}),
    word_field<kScales, &Config::transformer, &TransformerConfig::embedding_scale>(
        {.name = "embedding-scale",
         .metavar = "FACTOR",
         .group = kVariants,
         .help = "factor of the token embeddings",
         .stored = Stored::kUnlessDefault}),
    word_field<kSwitchWords, &Config::transformer, &TransformerConfig::embedding_norm>(
        {.name = "embedding-norm",
         .metavar = "SWITCH",
         .group = kVariants,
         .help = "layer normalization after the embeddings",
         .stored = Stored::kUnlessDefault}),
    word_field<kFinalNorms, &Config::transformer, &TransformerConfig::final_norm>(
        {.name = "final-norm",
         .metavar = "WHERE",
         .group = kVariants,
         .help = "layer normalization after the last layers; auto = both with pre-norm",
         .stored = Stored::kUnlessDefault}),
    real_field<&Config::transformer, &TransformerConfig::norm_epsilon>(
        {.name = "norm-epsilon",
         .metavar = "E",
         .group = kVariants,
         .help = "term added to the variance in layer normalization",
         .stored = Stored::kUnlessDefault},
        {1e-12, 1}),
    word_field<kLayouts, &Config::transformer, &TransformerConfig::sinusoid_layout>(
        {.name = "sinusoid-layout",
         .metavar = "LAYOUT",
         .group = kVariants,
         .help = "order of sines and cosines in sinusoid and stored positions",
         .stored = Stored::kUnlessDefault}),
    integer_field<&Config::transformer, &TransformerConfig::first_position>(
        {.name = "first-position",
         .group = kVariants,
         .help = "position of the first token in sinusoids",
         .stored = Stored::kUnlessDefault},
        {.min = 0, .max = 1'000'000}),
    word_field<kStarts, &Config::decoder_start>({.name = "decoder-start",
                                                 .metavar = "WHAT",
                                                 .group = kVariants,
                                                 .help = "first input of the decoder",
                                                 .stored = Stored::kUnlessDefault}),
    integer_field<&Config::start_id>({.name = "start-id",
                                      .group = kVariants,
                                      .help = "id of the token with which the decoder starts",
                                      .stored = Stored::kUnlessDefault},
                                     {.min = 0}),
    word_field<kSwitchWords, &Config::transformer, &TransformerConfig::source_end>(
        {.name = "source-end",
         .metavar = "SWITCH",
         .group = kVariants,
         .help = "end-of-sentence token after the source",
         .stored = Stored::kUnlessDefault}),
    base::Field<Config>{
        {.name = "masked-ids",
         .metavar = "ID,...",
         .group = kVariants,
         .help = "ids that are never produced",
         .stored = Stored::kUnlessDefault},
        base::AnyText{},
        [](const Config& config) { return ids_text(config.transformer.masked_ids); },
        [](Config& config, std::string_view text) {
          config.transformer.masked_ids = parse_ids(text);
        }},
    integer_field<&Config::source_vocabulary>(
        {.name = "source-vocabulary-size", .stored = Stored::kUnlessDefault}, {.min = 0}),
    integer_field<&Config::transformer, &TransformerConfig::decoder_heads>(
        {.name = "decoder-heads",
         .group = kVariants,
         .help = "attention heads in the decoder; 0 = as in the encoder",
         .stored = Stored::kUnlessDefault},
        {.min = 0, .max = 256}),
    integer_field<&Config::transformer, &TransformerConfig::decoder_d_ff>(
        {.name = "decoder-d-ff",
         .group = kVariants,
         .help = "inner dimension of feed-forward layers in the decoder; 0 = as in the encoder",
         .stored = Stored::kUnlessDefault},
        kOptionalWidth),
    word_field<kAutoregressiveLayers, &Config::transformer,
               &TransformerConfig::autoregressive_layer>(
        {.name = "autoregressive-layer",
         .metavar = "KIND",
         .group = kVariants,
         .help = "part of decoder layers that reads previous tokens",
         .stored = Stored::kUnlessDefault}),
    word_field<kSwitchWords, &Config::transformer, &TransformerConfig::ssru_projection>(
        {.name = "ssru-projection",
         .metavar = "SWITCH",
         .group = kVariants,
         .help = "projection of the output of ssru layers",
         .stored = Stored::kUnlessDefault}),
    integer_field<&Config::transformer, &TransformerConfig::attention_window>(
        {.name = "attention-window",
         .group = kVariants,
         .help = "positions on each side that self-attention includes; 0 = all",
         .stored = Stored::kUnlessDefault},
        {.min = 0, .max = 1'000'000}),
    word_field<kNormKinds, &Config::transformer, &TransformerConfig::norm_kind>(
        {.name = "norm-kind",
         .metavar = "KIND",
         .group = kVariants,
         .help = "normalization; rms = without mean and bias",
         .stored = Stored::kUnlessDefault}),
    word_field<kFeedForwardKinds, &Config::transformer, &TransformerConfig::feed_forward>(
        {.name = "feed-forward",
         .metavar = "KIND",
         .group = kVariants,
         .help = "feed-forward layers; gated = GEGLU, SwiGLU or ReGLU, by activation",
         .stored = Stored::kUnlessDefault}),
    word_field<kSwitchWords, &Config::transformer, &TransformerConfig::feed_forward_bias>(
        {.name = "feed-forward-bias",
         .metavar = "SWITCH",
         .group = kVariants,
         .help = "biases of the feed-forward layers",
         .stored = Stored::kUnlessDefault}),
    word_field<kAttentionScales, &Config::transformer, &TransformerConfig::attention_scale>(
        {.name = "attention-scale",
         .metavar = "FACTOR",
         .group = kVariants,
         .help = "factor of the scores of attention",
         .stored = Stored::kUnlessDefault}),
    word_field<kOutputScales, &Config::transformer, &TransformerConfig::output_scale>(
        {.name = "output-scale",
         .metavar = "FACTOR",
         .group = kVariants,
         .help = "factor of the decoder's output before its projection",
         .stored = Stored::kUnlessDefault}),
    integer_field<&Config::transformer, &TransformerConfig::relative_buckets>(
        {.name = "relative-buckets",
         .group = kVariants,
         .help = "buckets of distances with relative positions",
         .stored = Stored::kUnlessDefault},
        {.min = 8, .max = 1024, .multiple_of = 4}),
    integer_field<&Config::transformer, &TransformerConfig::relative_max_distance>(
        {.name = "relative-max-distance",
         .group = kVariants,
         .help = "distance from which on all relative positions share a bucket",
         .stored = Stored::kUnlessDefault},
        {.min = 1, .max = 65'536}),
    integer_field<&Config::transformer, &TransformerConfig::guided_alignment_layer>(
        {.name = "guided-alignment-layer",
         .group = "Guided alignment",
         .help = "decoder layer whose first head learns alignments; 0 = the last if there are any",
         .stored = Stored::kUnlessDefault},
        {.min = 0}),
};

}  // namespace

std::span<const base::Field<Config>> transformer_fields() {
  return kFields;
}

Config transformer_preset(std::string_view name) {
  Config config;
  auto& transformer = config.transformer;
  if (name == "big") {
    config.d_model = 1024;
    transformer.d_ff = 4096;
    transformer.heads = 16;
    config.dropout = 0.3;
    return config;
  }
  // Short runs learn faster than with post-norm: "Settings for small corpora" in
  // tests/bench/RESULTS.md.
  if (name == "small" || name == "tiny") transformer.norm = Norm::kPre;
  if (name == "small") {
    config.d_model = 256;
    transformer.d_ff = 1024;
    transformer.heads = 4;
    config.encoder_layers = config.decoder_layers = 3;
    return config;
  }
  if (name == "tiny") {
    config.d_model = 128;
    transformer.d_ff = 256;
    transformer.heads = 4;
    transformer.d_k = transformer.d_v = 32;
    config.encoder_layers = config.decoder_layers = 4;
  }
  return config;
}

namespace {

/// Distances below half of the buckets of a direction have a bucket each.
void require_relative_positions(const Config& config) {
  const auto& transformer = config.transformer;
  const TransformerConfig defaults;
  if (!has_relative_positions(config)) {
    if (transformer.relative_buckets != defaults.relative_buckets ||
        transformer.relative_max_distance != defaults.relative_max_distance) {
      base::fail("relative-buckets and relative-max-distance need positions relative, got ",
                 base::word_for(kPositions, transformer.positions));
    }
    return;
  }
  if (has_ssru(config))
    base::fail("positions relative needs autoregressive-layer self-attention, got ssru");
  if (transformer.relative_max_distance <= transformer.relative_buckets / 2) {
    base::fail("relative-max-distance must be above relative-buckets / 2 = ",
               transformer.relative_buckets / 2, ", got ", transformer.relative_max_distance);
  }
}

}  // namespace

void require_consistent_transformer(const Config& config) {
  const auto& transformer = config.transformer;
  const bool has_sinusoids =
      transformer.positions == Positions::kSinusoid || transformer.positions == Positions::kStored;
  if (!has_sinusoids && (transformer.first_position != 0 ||
                         transformer.sinusoid_layout != SinusoidLayout::kInterleaved)) {
    base::fail("sinusoid-layout and first-position need positions sinusoid or stored, got ",
               base::word_for(kPositions, transformer.positions));
  }
  require_relative_positions(config);
  if (transformer.ssru_projection == Switch::kOn && !has_ssru(config))
    base::fail("ssru-projection needs autoregressive-layer ssru, got self-attention");
  if (transformer.attention_window != 0 && has_ssru(config))
    base::fail("attention-window needs autoregressive-layer self-attention, got ssru");
  if (transformer.guided_alignment_layer > config.decoder_layers) {
    base::fail("guided-alignment-layer ", transformer.guided_alignment_layer,
               " does not exist, decoder-layers is ", config.decoder_layers);
  }
  decoder_side(config);
}

void require_valid_ids(const Config& config) {
  if (ties_embeddings(tie_of(config)) && source_vocabulary_of(config) != config.vocabulary) {
    base::fail("tie ", base::word_for(kTieWords, tie_of(config)), " needs one vocabulary, got ",
               config.source_vocabulary, " source ids and ", config.vocabulary, " target ids");
  }
  if (config.decoder_start == DecoderStart::kToken && config.start_id >= config.vocabulary)
    base::fail(kStartId, " must be below ", config.vocabulary, ", got ", config.start_id);
  for (const std::uint32_t id : config.transformer.masked_ids) {
    if (id >= config.vocabulary)
      base::fail(kMaskedIds, " must be below ", config.vocabulary, ", got ", id);
  }
}

}  // namespace awend::model
