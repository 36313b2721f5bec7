// Models of CTranslate2: encoder-decoder Transformers.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/error.hpp"
#include "interchange/ctranslate2_variables.hpp"
#include "interchange/foreign_settings.hpp"
#include "interchange/foreign_weights.hpp"
#include "interchange/formats.hpp"
#include "interchange/names.hpp"
#include "interchange/transformer_settings.hpp"
#include "model/sinusoids.hpp"
#include "store/ctranslate2_binary.hpp"
#include "store/json_text.hpp"

namespace awend::interchange {
namespace {

using model::Switch;

// From this version, config.json says which tokens surround a sentence.
constexpr std::uint32_t kFirstWithTokenSettings = 6;

// Of layer normalization, and of RMS normalization.
constexpr double kDefaultEpsilon = 1e-5, kDefaultRmsEpsilon = 1e-6;

HasArray in(const ForeignWeights& weights) {
  return [&weights](std::string_view name) { return weights.has(name); };
}

nn::Activation activation_of(float number) {
  if (number == 0) return nn::Activation::kRelu;
  if (number == 1) return nn::Activation::kGeluTanh;
  if (number == 2) return nn::Activation::kSwish;
  if (number == 3) return nn::Activation::kGelu;
  if (number == 4) return nn::Activation::kGeluSigmoid;
  base::fail("activation ", number, " is not supported");
}

/// The number of the layers of a side.
std::uint32_t layers_of(const ForeignWeights& weights, const std::string& side) {
  std::uint32_t layers = 0;
  while (weights.has(base::concat(side, "/layer_", layers, "/ffn/linear_0/weight"))) ++layers;
  return layers;
}

std::uint32_t size_of(const ForeignWeights& weights, const std::string& name, std::size_t axis) {
  const auto& shape = weights.shape(name);
  if (shape.size() != 2) base::fail("variable '", name, "' is not a matrix");
  return static_cast<std::uint32_t>(shape[axis]);
}

void read_sizes(const ForeignWeights& weights, CTranslate2Flags& flags, model::Config& config) {
  auto& transformer = config.transformer;
  config.vocabulary = size_of(weights, "decoder/embeddings/weight", 0);
  config.d_model = size_of(weights, "decoder/embeddings/weight", 1);
  config.source_vocabulary = size_of(weights, ctranslate2_source_embedding(in(weights)), 0);
  config.encoder_layers = layers_of(weights, "encoder");
  config.decoder_layers = layers_of(weights, "decoder");
  if (config.encoder_layers == 0 || config.decoder_layers == 0)
    base::fail("the model has no layers with 'ffn/linear_0/weight'");
  transformer.heads = static_cast<std::uint32_t>(flags.take("encoder/num_heads", 8));
  transformer.decoder_heads = static_cast<std::uint32_t>(flags.take("decoder/num_heads", 8));
  if (transformer.decoder_heads == transformer.heads) transformer.decoder_heads = 0;
  // All heads together may be wider than the model.
  const auto width = size_of(weights, "encoder/layer_0/self_attention/linear_1/weight", 1);
  transformer.d_k = transformer.d_v = model::head_size(width, transformer.heads);
  transformer.d_ff = size_of(weights, "encoder/layer_0/ffn/linear_0/weight", 0);
  transformer.decoder_d_ff = size_of(weights, "decoder/layer_0/ffn/linear_0/weight", 0);
  if (transformer.decoder_d_ff == transformer.d_ff) transformer.decoder_d_ff = 0;
}

float same_on_both_sides(CTranslate2Flags& flags, const std::string& name, float otherwise) {
  const float encoder = flags.take("encoder/" + name, otherwise);
  const float decoder = flags.take("decoder/" + name, otherwise);
  if (encoder != decoder)
    base::fail("variables 'encoder/", name, "' and 'decoder/", name, "' differ");
  return encoder;
}

bool has_norm(const ForeignWeights& weights, const std::string& name) {
  return weights.has(name + "/gamma");
}

void read_norms(const ForeignWeights& weights, CTranslate2Flags& flags, model::Config& config) {
  auto& transformer = config.transformer;
  const bool pre = same_on_both_sides(flags, "pre_norm", 1) != 0;
  transformer.norm = pre ? model::Norm::kPre : model::Norm::kPost;
  const bool encoder = has_norm(weights, "encoder/layer_norm"),
             decoder = has_norm(weights, "decoder/layer_norm");
  if (encoder != pre || decoder != pre) {
    transformer.final_norm = encoder
                                 ? (decoder ? model::FinalNorm::kBoth : model::FinalNorm::kEncoder)
                             : decoder ? model::FinalNorm::kDecoder
                                       : model::FinalNorm::kNone;
  }
  if (!weights.has("encoder/layer_0/ffn/layer_norm/beta"))
    transformer.norm_kind = model::NormKind::kRms;
  const bool embedding = has_norm(weights, "encoder/layernorm_embedding");
  if (embedding != has_norm(weights, "decoder/layernorm_embedding"))
    base::fail("only one side has a normalization of embeddings");
  if (embedding) transformer.embedding_norm = Switch::kOn;
}

/// Whether the table consists of sinusoids, bit for bit, whose layout is then set.
bool is_sinusoid(const std::vector<float>& table, model::Config& config) {
  using model::SinusoidLayout;
  const auto rows = static_cast<std::uint32_t>(table.size() / config.d_model);
  for (const auto layout :
       {SinusoidLayout::kInterleaved, SinusoidLayout::kHalves, SinusoidLayout::kHalvesMinusOne}) {
    for (std::uint32_t first = 0; first <= 2; ++first) {
      if (model::sinusoids({rows, config.d_model, layout, first}) != table) continue;
      config.transformer.sinusoid_layout = layout;
      config.transformer.first_position = first;
      return true;
    }
  }
  return false;
}

void read_positions(ForeignWeights& weights, ConvertedModel& model) {
  auto& config = model.config;
  auto& transformer = config.transformer;
  const std::string names[] = {"encoder/position_encodings/encodings",
                               "decoder/position_encodings/encodings"};
  if (!weights.has(names[0]) && !weights.has(names[1])) {
    // Computed by CTranslate2.
    transformer.sinusoid_layout = model::SinusoidLayout::kHalvesMinusOne;
    transformer.first_position = 1;
    return;
  }
  std::vector<float> tables[2];
  config.max_positions = ~std::uint32_t{0};
  for (int side = 0; side < 2; ++side) {
    const auto rows = size_of(weights, names[side], 0);
    if (size_of(weights, names[side], 1) != config.d_model)
      base::fail("variable '", names[side], "' has ", weights.shape(names[side])[1],
                 " columns, expected ", config.d_model);
    tables[side] = weights.values(names[side]);
    config.max_positions = std::min(config.max_positions, rows);
  }
  if (tables[0] == tables[1] && is_sinusoid(tables[0], config)) return;
  transformer.positions = model::Positions::kStored;
  const char* ours[] = {"source_positions", "target_positions"};
  for (int side = 0; side < 2; ++side) {
    tables[side].resize(std::size_t{config.max_positions} * config.d_model);
    model.weights.emplace(ours[side], std::move(tables[side]));
  }
}

model::Tie tie_of(ForeignWeights& weights) {
  const std::string target = "decoder/embeddings/weight";
  const bool source = weights.are_same(ctranslate2_source_embedding(in(weights)), target),
             output = weights.are_same("decoder/projection/weight", target);
  if (source) return output ? model::Tie::kAll : model::Tie::kEmbeddings;
  return output ? model::Tie::kDecoder : model::Tie::kNone;
}

bool has_attention_bias(const ForeignWeights& weights) {
  return weights.has("encoder/layer_0/self_attention/linear_0/bias") ||
         weights.has("decoder/layer_0/attention/linear_0/bias") ||
         weights.has("encoder/layer_0/self_attention/linear_1/bias");
}

void read_feed_forward(const ForeignWeights& weights, model::Config& config) {
  auto& transformer = config.transformer;
  const std::string first = "encoder/layer_0/ffn/";
  if (weights.has(first + "linear_0_noact/weight"))
    transformer.feed_forward = model::FeedForwardKind::kGated;
  if (!weights.has(first + "linear_0/bias") && !weights.has(first + "linear_1/bias"))
    transformer.feed_forward_bias = Switch::kOff;
}

/// Relative positions, whose table all layers of a side share.
void read_relative_attention(ForeignWeights& weights, CTranslate2Flags& flags,
                             ConvertedModel& model) {
  auto& config = model.config;
  auto& transformer = config.transformer;
  const auto prefix = [](const std::string& side, std::uint32_t layer) {
    return base::concat(side, "/layer_", layer, "/self_attention/relative_attention_");
  };
  if (!weights.has(prefix("encoder", 0) + "bias")) return;
  transformer.positions = model::Positions::kRelative;
  transformer.relative_buckets = size_of(weights, prefix("encoder", 0) + "bias", 0);
  transformer.relative_max_distance =
      static_cast<std::uint32_t>(flags.take(prefix("encoder", 0) + "max_distance",
                                            static_cast<float>(transformer.relative_max_distance)));
  for (const auto& [side, layers, ours] :
       {std::tuple("encoder", config.encoder_layers, "source_relative_positions"),
        std::tuple("decoder", config.decoder_layers, "target_relative_positions")}) {
    const auto first = prefix(side, 0) + "bias";
    read_relative_positions(weights, first, ours, model);
    for (std::uint32_t layer = 0; layer < layers; ++layer) {
      flags.require(prefix(side, layer) + "max_distance",
                    static_cast<float>(transformer.relative_max_distance));
      const auto name = prefix(side, layer) + "bias";
      if (weights.values(name) != model.weights.at(ours))
        base::fail("variables '", first, "' and '", name, "' differ");
    }
  }
}

/// Whether a factor that is stored in single precision is the expected one.
bool is_factor(float found, double expected) {
  return std::abs(found / expected - 1) < 1e-5;
}

/// An integer tells whether embeddings are multiplied by the root of their size, and a number of
/// floating point is the factor itself.
bool has_scaled_embeddings(CTranslate2Flags& flags, const std::string& name,
                           const model::Config& config) {
  const auto scale = flags.take(name);
  if (!scale) return true;
  if (!scale->is_factor) return scale->value != 0;
  if (scale->value == 1) return false;
  if (!is_factor(scale->value, std::sqrt(static_cast<double>(config.d_model))))
    base::fail("variable '", name, "' is ", scale->value, ", which is not supported");
  return true;
}

void read_embedding_scale(CTranslate2Flags& flags, model::Config& config) {
  const std::string encoder = "encoder/scale_embeddings", decoder = "decoder/scale_embeddings";
  const bool is_scaled = has_scaled_embeddings(flags, encoder, config);
  if (has_scaled_embeddings(flags, decoder, config) != is_scaled)
    base::fail("variables '", encoder, "' and '", decoder, "' differ");
  if (!is_scaled) config.transformer.embedding_scale = nn::EmbeddingScale::kOne;
}

void read_output_scale(CTranslate2Flags& flags, model::Config& config) {
  const std::string name = "decoder/scale_outputs";
  const float scale = flags.take(name, 1);
  if (scale == 1) return;
  if (!is_factor(scale, 1 / std::sqrt(static_cast<double>(config.d_model))))
    base::fail("variable '", name, "' is ", scale, ", which is not supported");
  config.transformer.output_scale = model::OutputScale::kInverseRootOfColumns;
}

/// The factor of scores, which is the same in all attentions.
void read_attention_scale(CTranslate2Flags& flags, model::Config& config) {
  const auto root = static_cast<float>(1 / std::sqrt(static_cast<double>(config.transformer.d_k)));
  const auto name = [](const std::string& side, std::uint32_t layer, const char* attention) {
    return base::concat(side, "/layer_", layer, "/", attention, "/queries_scale");
  };
  const float scale = flags.take(name("encoder", 0, "self_attention"), root);
  if (scale == 1) {
    config.transformer.attention_scale = model::AttentionScale::kOne;
  } else if (!is_factor(scale, root)) {
    base::fail("variable '", name("encoder", 0, "self_attention"), "' is ", scale,
               ", which is not supported");
  }
  for (const std::string side : {"encoder", "decoder"}) {
    const auto layers = side == "encoder" ? config.encoder_layers : config.decoder_layers;
    for (std::uint32_t i = 0; i < layers; ++i) {
      for (const char* attention : {"self_attention", "attention"})
        flags.require(name(side, i, attention), scale);
    }
  }
}

void require_plain(CTranslate2Flags& flags, const model::Config& config) {
  for (const std::string side : {"encoder/", "decoder/"}) {
    for (const char* name : {"alibi", "multi_query_attention", "scale_alibi", "no_final_norm"})
      flags.require(side + name, 0);
    for (const char* name : {"alibi_use_positive_positions", "alignment_layer", "alignment_heads",
                             "embeddings_merge", "head_dim", "rotary_interleave"})
      flags.take(side + name, 0);
    const auto layers = side == "encoder/" ? config.encoder_layers : config.decoder_layers;
    for (std::uint32_t i = 0; i < layers; ++i) {
      for (const char* attention : {"self_attention/", "attention/"}) {
        const auto prefix = base::concat(side, "layer_", i, "/", attention);
        flags.take(prefix + "head_dim", 0);
        flags.take(prefix + "num_heads", 0);
      }
    }
  }
}

TokenList tokens_of(ModelFiles& files, const std::string& side) {
  for (const auto& stem : {side + "_vocabulary", std::string("shared_vocabulary")}) {
    for (const bool is_json : {true, false}) {
      const auto name = stem + (is_json ? ".json" : ".txt");
      if (!files.has(name)) continue;
      return with_name_once(files.path_of(name), [&] {
        TokenList list;
        list.tokens =
            is_json ? store::json_texts(files.text(name)) : tokens_of_lines(files.text(name));
        // Users copy it to the converted model.
        const std::string splitters[] = {side + ".spm", "sentencepiece.bpe.model",
                                         "sentencepiece.model", "spiece.model"};
        list.splitter = splitter_in(files, splitters);
        find_languages(list);
        return list;
      });
    }
  }
  base::fail(files.path_of(side + "_vocabulary.json"), ": no such file");
}

std::uint32_t id_of(const TokenList& list, const std::string& token) {
  const auto found = std::ranges::find(list.tokens, token);
  if (found == list.tokens.end()) base::fail("the vocabulary has no token '", token, "'");
  return static_cast<std::uint32_t>(found - list.tokens.begin());
}

void read_weights(const ModelFiles& files, store::CTranslate2Items& items, CTranslate2Flags& flags,
                  ConvertedModel& model) {
  const auto scales = take_scales(items);
  ForeignWeights weights(items.variables, [&](const std::string& name, std::vector<float>& values) {
    const auto found = scales.find(name);
    if (found != scales.end()) with_name_once(name, [&] { dequantize(found->second, values); });
  });
  weights.after_reading([&] { files.forget(); });
  auto& config = model.config;
  auto& transformer = config.transformer;
  read_sizes(weights, flags, config);
  read_norms(weights, flags, config);
  read_feed_forward(weights, config);
  transformer.activation = activation_of(same_on_both_sides(flags, "activation", 0));
  read_embedding_scale(flags, config);
  transformer.tie = tie_of(weights);
  if (config.source_vocabulary == config.vocabulary) config.source_vocabulary = 0;
  if (has_attention_bias(weights)) transformer.attention_bias = Switch::kOn;
  if (weights.has("decoder/projection/bias")) transformer.output_bias = Switch::kOn;
  read_relative_attention(weights, flags, model);
  if (!model::has_relative_positions(config)) read_positions(weights, model);
  read_attention_scale(flags, config);
  read_output_scale(flags, config);
  require_plain(flags, config);
  weights.read_all(model, [&](const model::WeightShape& weight) {
    return ctranslate2_location(weight, in(weights));
  });
  weights.require_all_known();
}

/// The tokens around a sentence.
void read_tokens(ForeignSettings& settings, CTranslate2Flags& flags, std::uint32_t version,
                 const TokenList& target, ConvertedModel& model) {
  auto& config = model.config;
  const bool in_file = version < kFirstWithTokenSettings;
  bool source_begin = settings.is_on("add_source_bos"),
       source_end = settings.is_on("add_source_eos");
  auto start = settings.text("decoder_start_token", "<s>");
  if (in_file) {
    source_begin = flags.take("with_source_bos", 0) != 0;
    source_end = flags.take("with_source_eos", 0) != 0;
    const bool begins = flags.take("with_target_bos", 1) != 0;
    start = flags.take("user_decoder_start_tokens", 0) != 0
                ? "null"
                : settings.text(begins ? "bos_token" : "eos_token", begins ? "<s>" : "</s>");
  }
  if (source_begin) base::fail("setting 'add_source_bos': a start of the source is not supported");
  // The users of mBART-50 give the start token, which is the end of sentences, with the language.
  if (start == "null" && !target.languages.empty()) start = target.end;
  // The converter of Hugging Face models writes that no end is added, because its users feed what
  // the tokenizer makes, which has one.  Models of OpenNMT-py, which have none, start with <s>;
  // those with relative positions are T5.
  const bool is_hugging_face = start == target.end || model::has_relative_positions(config);
  if (!in_file && !source_end && is_hugging_face) {
    source_end = true;
    model.assumed_source_end =
        base::concat("'add_source_eos' is false, but the decoder starts with ", start,
                     ", as models of Hugging Face do, whose sources have an end: it is appended");
  }
  config.transformer.source_end = source_end ? Switch::kOn : Switch::kOff;
  if (flags.take("decoder/start_from_zero_embedding", 0) != 0) return;
  if (start == "null")
    base::fail("setting 'decoder_start_token': a start token for each sentence is not supported");
  config.decoder_start = model::DecoderStart::kToken;
  config.start_id = id_of(target, start);
}

}  // namespace

ConvertedModel read_ctranslate2(ModelFiles& files, const std::string& name) {
  const auto path = files.path_of(name);
  ConvertedModel model;
  auto items = with_name_once(path, [&] {
    auto read = store::read_ctranslate2(files.bytes(name));
    if (read.spec != "TransformerSpec")
      base::fail("models of type '", read.spec, "' of CTranslate2 are not supported");
    return read;
  });
  const auto config_path = files.path_of("config.json");
  const bool has_config = files.has("config.json");
  auto settings = ForeignSettings::from_json(has_config ? files.text("config.json") : "{}");
  auto source = tokens_of(files, "source"), target = tokens_of(files, "target");
  source.unknown = target.unknown = settings.text("unk_token", "<unk>");
  source.end = target.end = settings.text("eos_token", "</s>");
  auto flags = with_name_once(path, [&] {
    CTranslate2Flags read(items.variables);
    read_weights(files, items, read, model);
    return read;
  });
  if (model::has_relative_positions(model.config)) {
    // As in MADLAD-400.
    find_language_tags(source);
    find_language_tags(target);
  }
  with_name_once(has_config ? config_path : path, [&] {
    const bool is_rms = model.config.transformer.norm_kind == model::NormKind::kRms;
    model.config.transformer.norm_epsilon =
        settings.real("layer_norm_epsilon", is_rms ? kDefaultRmsEpsilon : kDefaultEpsilon);
    read_tokens(settings, flags, items.version, target, model);
    settings.require("multi_query_attention", {"false"}, "multi-query attention");
    settings.ignore({"bos_token", "alignment_heads"});
    settings.require_all_known();
  });
  with_name_once(path, [&] {
    flags.require_all_known();
    set_vocabularies(model, source, target);
  });
  if (model.assumed_source_end)
    model.assumed_source_end = base::concat(config_path, ": ", *model.assumed_source_end);
  return model;
}

}  // namespace awend::interchange
