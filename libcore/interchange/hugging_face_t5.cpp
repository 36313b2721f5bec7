#include "interchange/hugging_face_t5.hpp"

#include <map>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "interchange/foreign_settings.hpp"
#include "interchange/foreign_weights.hpp"
#include "interchange/hugging_face_files.hpp"
#include "interchange/hugging_face_languages.hpp"
#include "interchange/transformer_settings.hpp"

namespace awend::interchange {
namespace {

using model::OutputScale;
using model::Switch;

const std::string kEmbedding = "shared.weight", kProjection = "lm_head.weight";

constexpr std::uint32_t kStartTokens = 1;

const std::map<std::string, std::string, std::less<>> kAttentionParts = {
    {"query", "q"}, {"key", "k"}, {"value", "v"}, {"output", "o"}};

Location table_location(const std::string& part) {
  const auto relative = [](const char* side) {
    return base::concat(side, ".block.0.layer.0.SelfAttention.relative_attention_bias.weight");
  };
  if (part == "source_relative_positions") return {.name = relative("encoder")};
  if (part == "target_relative_positions") return {.name = relative("decoder")};
  return {.name = part == "projection" ? kProjection : kEmbedding};
}

void read_activation(ForeignSettings& settings, model::Config& config) {
  auto& transformer = config.transformer;
  auto form = settings.text("feed_forward_proj", "relu");
  constexpr std::string_view kGated = "gated-";
  const bool is_gated = form.starts_with(kGated);
  if (is_gated) form.erase(0, kGated.size());
  // T5 v1.1 calls the approximation by a hyperbolic tangent gelu.
  if (is_gated && form == "gelu") form = "gelu_new";
  settings.set("dense_act_fn", settings.text("dense_act_fn", form));
  if (settings.is_on("is_gated_act", is_gated ? Default::kOn : Default::kOff) != is_gated)
    base::fail("settings 'feed_forward_proj' and 'is_gated_act' contradict each other");
  if (is_gated) transformer.feed_forward = model::FeedForwardKind::kGated;
  transformer.activation = activation_in(settings, "dense_act_fn");
}

/// The scale of the output, which for mT5 depends on whether the weights are tied.
struct OutputScales {
  OutputScale of_tied, of_own;
};

/// The first number of the version of transformers that wrote the file; 0 if there is none.
std::uint32_t major_version(ForeignSettings& settings) {
  const auto version = settings.text("transformers_version", "");
  return base::find_number<std::uint32_t>(version.substr(0, version.find('.'))).value_or(0);
}

/// Since version 5, tie_word_embeddings is true in every file: T5 has a setting of its own for the
/// scale, and mT5 has no scale.  Before, tied outputs were scaled.
OutputScales output_scales_in(ForeignSettings& settings) {
  const auto scale_if = [](const bool& is_scaled) {
    return is_scaled ? OutputScale::kInverseRootOfColumns : OutputScale::kOne;
  };
  if (settings.text("model_type") == "mt5")
    return {scale_if(major_version(settings) < 5), OutputScale::kOne};
  const bool is_tied = settings.is_on("tie_word_embeddings", Default::kOn);
  const auto scale =
      scale_if(settings.is_on("scale_decoder_outputs", is_tied ? Default::kOn : Default::kOff));
  return {scale, scale};
}

model::Config config_of(ForeignSettings& settings) {
  settings.text("model_type");
  settings.require("architectures",
                   {"[\"T5ForConditionalGeneration\"]", "[\"MT5ForConditionalGeneration\"]",
                    "[\"T5WithLMHeadModel\"]", "null"},
                   "another architecture");
  model::Config config;
  auto& transformer = config.transformer;
  config.vocabulary = settings.count("vocab_size");
  config.d_model = settings.count("d_model");
  transformer.d_ff = settings.count("d_ff");
  transformer.heads = settings.count("num_heads");
  transformer.d_k = transformer.d_v = settings.count("d_kv");
  config.encoder_layers = settings.count("num_layers");
  config.decoder_layers = settings.count("num_decoder_layers", config.encoder_layers);
  read_activation(settings, config);
  transformer.norm = model::Norm::kPre;
  transformer.norm_kind = model::NormKind::kRms;
  transformer.feed_forward_bias = Switch::kOff;
  transformer.attention_scale = model::AttentionScale::kOne;
  transformer.embedding_scale = nn::EmbeddingScale::kOne;
  transformer.positions = model::Positions::kRelative;
  transformer.norm_epsilon = settings.real("layer_norm_epsilon", 1e-6);
  transformer.relative_buckets = settings.count("relative_attention_num_buckets", 32);
  transformer.relative_max_distance = settings.count("relative_attention_max_distance", 128);
  transformer.tie = settings.is_on("tie_word_embeddings", Default::kOn) ? model::Tie::kAll
                                                                        : model::Tie::kEmbeddings;
  config.decoder_start = model::DecoderStart::kToken;
  config.start_id = settings.count("decoder_start_token_id", 0);
  return config;
}

void ignore_harmless(ForeignSettings& settings) {
  ignore_common_settings(settings);
  settings.ignore({"add_cross_attention", "classifier_dropout", "dropout_rate", "id2label",
                   "initializer_factor", "is_decoder", "is_encoder_decoder", "label2id",
                   "n_positions", "num_hidden_layers", "num_labels", "pad_token_id", "problem_type",
                   "pruned_heads", "tie_encoder_decoder"});
}

void read_generation(ForeignSettings& settings, ConvertedModel& model) {
  read_search(settings, kStartTokens, model);
  for (const char* name : {"bad_words_ids", "forced_bos_token_id"})
    note_unused(settings, {.name = name}, model);
}

OutputScales read_both_settings(ModelFiles& files, ConvertedModel& model) {
  OutputScales scales{};
  const auto read_config = [&](ForeignSettings& settings) {
    model.config = config_of(settings);
    ignore_harmless(settings);
    scales = output_scales_in(settings);
  };
  read_settings(files, read_config,
                [&](ForeignSettings& settings) { read_generation(settings, model); });
  return scales;
}

/// Some files have the shared embeddings under the name of a side only.
std::string embedding_in(const ForeignWeights& weights) {
  for (const char* name : {"decoder.embed_tokens.weight", "encoder.embed_tokens.weight"}) {
    if (!weights.has(kEmbedding) && weights.has(name)) return name;
  }
  return kEmbedding;
}

/// An output with other weights than the embeddings is not tied, whatever the settings say.
void set_output(ForeignWeights& weights, const OutputScales& scales, model::Config& config) {
  auto& transformer = config.transformer;
  if (weights.has(kProjection) && !weights.are_same(embedding_in(weights), kProjection))
    transformer.tie = model::Tie::kEmbeddings;
  transformer.output_scale = transformer.tie == model::Tie::kAll ? scales.of_tied : scales.of_own;
}

void read_weights(FileArrays file, const OutputScales& scales, ConvertedModel& model) {
  ForeignWeights weights(std::move(file.arrays));
  weights.after_reading(file.release);
  set_output(weights, scales, model.config);
  for (const char* part : {"source_relative_positions", "target_relative_positions"})
    read_relative_positions(weights, table_location(part).name, part, model);
  weights.read_all(model, [&](const model::WeightShape& weight) {
    return weight.part == "embedding" ? Location{.name = embedding_in(weights)}
                                      : t5_location(model.config, weight);
  });
  // Copies of tied matrices, and a table of cross-attention that old versions wrote but do not use.
  for (const char* name :
       {"shared.weight", "encoder.embed_tokens.weight", "decoder.embed_tokens.weight",
        "decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight"})
    weights.ignore(name);
  weights.ignore(kProjection);  // a copy, unless it was read
  weights.require_all_known();
}

}  // namespace

Location t5_location(const model::Config& config, const model::WeightShape& weight) {
  if (weight.side.empty()) return table_location(weight.part);
  if (!weight.layer) return {.name = weight.side + ".final_layer_norm.weight"};
  const auto dot = weight.part.find('.');
  const auto block = weight.part.substr(0, dot), part = weight.part.substr(dot + 1);
  const bool is_self = block.starts_with("self"), is_cross = block.starts_with("cross");
  const int number = is_self ? 0 : is_cross || weight.side == "encoder" ? 1 : 2;
  const auto prefix = base::concat(weight.side, ".block.", *weight.layer, ".layer.", number, ".");
  if (block.ends_with("_norm")) return {.name = prefix + "layer_norm.weight"};
  std::string name;
  if (is_self || is_cross) {
    name = base::concat(is_self ? "SelfAttention." : "EncDecAttention.", kAttentionParts.at(part));
  } else {
    const bool is_gated = config.transformer.feed_forward == model::FeedForwardKind::kGated;
    name = base::concat("DenseReluDense.", part == "outer"  ? "wo"
                                           : part == "gate" ? "wi_0"
                                           : is_gated       ? "wi_1"
                                                            : "wi");
  }
  return {.name = prefix + name + ".weight", .order = Location::Order::kTransposed};
}

ConvertedModel read_t5(ModelFiles& files, const std::string& name) {
  ConvertedModel model;
  const auto scales = read_both_settings(files, model);
  read_arrays(files, name, [&](FileArrays file) { read_weights(std::move(file), scales, model); });
  // After the weights, whose size limits the number of tokens.
  model.vocabulary = vocabulary_of(read_t5_tokens(files, model.config.vocabulary));
  return model;
}

}  // namespace awend::interchange
