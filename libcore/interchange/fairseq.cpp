// Transformers of fairseq.
#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "interchange/foreign_settings.hpp"
#include "interchange/foreign_weights.hpp"
#include "interchange/formats.hpp"
#include "interchange/names.hpp"
#include "interchange/transformer_settings.hpp"
#include "store/torch_file.hpp"

namespace awend::interchange {
namespace {

using model::Switch;

// The first ids, before the lines of a dictionary.
constexpr std::string_view kSpecial[] = {"<s>", "<pad>", "</s>", "<unk>"};
constexpr std::uint32_t kEnd = 2, kFirstPosition = 2;

/// The settings of the model: in older files, those of the command line.
ForeignSettings settings_of(const store::Pickle& pickle) {
  const auto root = pickle.root();
  auto id = pickle.at(root, "args");
  if (!id || pickle.find<store::PickleNone>(*id) != nullptr) {
    const auto cfg = pickle.at(root, "cfg");
    id = cfg ? pickle.at(*cfg, "model") : std::nullopt;
  }
  if (!id) base::fail("no settings ('args' or 'cfg')");
  return ForeignSettings::from_pickle(pickle, *id);
}

constexpr base::Word<nn::Activation> kActivations[] = {{nn::Activation::kRelu, "relu"},
                                                       {nn::Activation::kGelu, "gelu"},
                                                       {nn::Activation::kSwish, "swish"}};

void require_supported(ForeignSettings& settings) {
  const auto arch = settings.text("arch", settings.text("_name", "transformer"));
  if (!arch.starts_with("transformer") || arch.starts_with("transformer_lm"))
    base::fail("architecture '", arch, "' of fairseq is not supported");
  for (const char* name : {"adaptive_input", "no_cross_attention", "cross_self_attention",
                           "no_token_positional_embeddings", "tie_adaptive_weights", "char_inputs",
                           "no_decoder_input_projection", "use_fused_attention"})
    settings.require(name, {"false"}, "this option");
  settings.require("adaptive_softmax_cutoff", {"null"}, "an adaptive softmax");
  settings.require("encoder_layers_to_keep", {"null"}, "a pruned encoder");
  settings.require("decoder_layers_to_keep", {"null"}, "a pruned decoder");
}

/// A setting that must be the same on both sides.
bool same_on_both_sides(ForeignSettings& settings, const std::string& name) {
  const bool encoder = settings.is_on("encoder_" + name),
             decoder = settings.is_on("decoder_" + name);
  if (encoder != decoder)
    base::fail("settings 'encoder_", name, "' and 'decoder_", name, "' differ");
  return encoder;
}

model::Tie tie_of(ForeignSettings& settings) {
  const bool output = settings.is_on("share_decoder_input_output_embed");
  if (settings.is_on("share_all_embeddings")) return model::Tie::kAll;
  return output ? model::Tie::kDecoder : model::Tie::kNone;
}

void read_sizes(ForeignSettings& settings, model::Config& config) {
  // The defaults of fairseq.
  config.d_model = settings.count("encoder_embed_dim", 512);
  const auto decoder = settings.count("decoder_embed_dim", config.d_model);
  for (const char* name : {"decoder_input_dim", "decoder_output_dim"}) {
    if (settings.count(name, decoder) != decoder)
      base::fail("setting '", name, "' differs from 'decoder_embed_dim'");
  }
  if (decoder != config.d_model)
    base::fail("settings 'encoder_embed_dim' and 'decoder_embed_dim' differ");
  const auto d_ff = settings.count("encoder_ffn_embed_dim", 2048);
  set_sizes(config, {settings.count("encoder_attention_heads", 8), d_ff},
            {settings.count("decoder_attention_heads", 8),
             settings.count("decoder_ffn_embed_dim", d_ff)});
  config.encoder_layers = settings.count("encoder_layers", 6);
  config.decoder_layers = settings.count("decoder_layers", 6);
}

model::Config config_of(ForeignSettings& settings) {
  require_supported(settings);
  model::Config config;
  auto& transformer = config.transformer;
  read_sizes(settings, config);
  transformer.tie = tie_of(settings);
  transformer.activation =
      word_in<kActivations>("activation_fn", settings.text("activation_fn", "relu"));
  transformer.attention_bias = Switch::kOn;
  if (settings.is_on("no_scale_embedding")) transformer.embedding_scale = nn::EmbeddingScale::kOne;
  if (settings.is_on("layernorm_embedding")) transformer.embedding_norm = Switch::kOn;
  if (same_on_both_sides(settings, "normalize_before")) {
    transformer.norm = model::Norm::kPre;
    if (settings.is_on("no_decoder_final_norm"))
      transformer.final_norm = model::FinalNorm::kEncoder;
  }
  transformer.norm_epsilon = 1e-5;
  config.decoder_start = model::DecoderStart::kToken;
  config.start_id = kEnd;
  if (same_on_both_sides(settings, "learned_pos")) {
    transformer.positions = model::Positions::kLearned;
  } else {
    transformer.sinusoid_layout = model::SinusoidLayout::kHalvesMinusOne;
    transformer.first_position = kFirstPosition;
  }
  settings.ignore({"encoder_layerdrop", "decoder_layerdrop", "encoder_embed_path",
                   "decoder_embed_path", "no_decoder_final_norm"});
  // All options of training are there; those of the network begin so.
  settings.require_known({"encoder_", "decoder_", "share_", "no_cross", "no_token",
                          "adaptive_input", "cross_", "layernorm_", "scale_"});
  return config;
}

class FairseqNames {
 public:
  explicit FairseqNames(const ForeignWeights& weights) : weights_(weights) {}

  Location operator()(const model::WeightShape& weight) const {
    if (weight.side.empty()) return table(weight.part);
    const auto prefix = weight.layer ? base::concat(weight.side, ".layers.", *weight.layer, ".")
                                     : weight.side + ".";
    const auto dot = weight.part.find('.');
    const auto block = prefix + kFairseqBlocks.at(weight.part.substr(0, dot));
    const auto part = weight.part.substr(dot + 1);
    if (part == "gain") return {.name = block + ".weight"};
    if (part == "bias") return {.name = block + ".bias"};
    const auto biased = without_end(part, "_bias");
    const auto matrix = biased.value_or(part);
    const auto order = Location::Order::kTransposed;
    // Until 2019, q, k and v were one matrix.
    if (block.ends_with("attn.") && matrix != "output" && weights_.has(block + "in_proj_weight")) {
      const std::uint32_t index = matrix == "query" ? 0 : matrix == "key" ? 1 : 2;
      return {.name = block + (biased ? "in_proj_bias" : "in_proj_weight"),
              .order = order,
              .all_outputs = 3 * weight.columns,
              .output_of = [index, columns = weight.columns](std::uint32_t output) {
                return index * columns + output;
              }};
    }
    return {.name = block + kFairseqParts.at(matrix) + (biased ? ".bias" : ".weight"),
            .order = order};
  }

 private:
  Location table(const std::string& part) const {
    if (part == "source_embedding") return {.name = "encoder.embed_tokens.weight"};
    if (part == "projection") {
      const std::string name = "decoder.output_projection.weight";
      return {.name = weights_.has(name) ? name : "decoder.embed_out"};
    }
    return {.name = "decoder.embed_tokens.weight"};
  }

  const ForeignWeights& weights_;
};

/// Learned positions begin after the row of <pad>; the shorter table decides.
void read_positions(ForeignWeights& weights, ConvertedModel& model) {
  auto& config = model.config;
  if (config.transformer.positions != model::Positions::kLearned) return;
  auto source =
           weights.rows_after("encoder.embed_positions.weight", kFirstPosition, config.d_model),
       target =
           weights.rows_after("decoder.embed_positions.weight", kFirstPosition, config.d_model);
  const auto size = std::min(source.size(), target.size());
  source.resize(size);
  target.resize(size);
  config.max_positions = static_cast<std::uint32_t>(size / config.d_model);
  model.weights.emplace("source_positions", source);
  model.weights.emplace("target_positions", target);
}

/// What fairseq stores besides: versions, and the copies of layers for fast inference.
void ignore_copies(ForeignWeights& weights, const store::StridedArrays& arrays) {
  for (const auto& [name, array] : arrays) {
    const bool is_encoder_layer = name.starts_with("encoder.layers.");
    const bool is_fast =
        is_encoder_layer && name.find("attn.") == name.npos &&
        (name.find("_proj_weight") != name.npos || name.find("_proj_bias") != name.npos ||
         name.ends_with("fc1_weight") || name.ends_with("fc1_bias") ||
         name.ends_with("fc2_weight") || name.ends_with("fc2_bias"));
    if (is_fast || name.ends_with(".version") || name.ends_with("._float_tensor"))
      weights.ignore(name);
  }
  for (const char* name : {"encoder.embed_tokens.weight", "decoder.output_projection.weight"})
    weights.ignore(name);
}

/// dict.LANGUAGE.txt of one side.
TokenList tokens_of(ModelFiles& files, const std::string& language) {
  const auto name = "dict." + language + ".txt";
  if (language.find('/') != language.npos) base::fail("language '", language, "' is not a name");
  return with_name_once(files.path_of(name), [&] {
    TokenList list;
    list.tokens.assign(std::begin(kSpecial), std::end(kSpecial));
    std::set<std::string, std::less<>> known(list.tokens.begin(), list.tokens.end());
    for (auto& token : tokens_of_lines(files.text(name), ' ')) {
      // "TOKEN COUNT #fairseq:overwrite"
      const auto mark = token.find(' ');
      if (mark != token.npos) token.resize(mark);
      if (!known.insert(token).second && mark == token.npos)
        base::fail("token '", token, "' occurs twice");
      list.tokens.push_back(std::move(token));
    }
    return list;
  });
}

/// The languages of the settings, or of the only two dictionaries.
std::pair<std::string, std::string> languages_of(ModelFiles& files, ForeignSettings& settings) {
  const auto source = settings.text("source_lang", "null"),
             target = settings.text("target_lang", "null");
  if (source != "null" && target != "null") return {source, target};
  std::vector<std::string> found;
  for (const auto& name : files.names()) {
    if (name.starts_with("dict.") && name.ends_with(".txt") && name.size() > 9)
      found.push_back(name.substr(5, name.size() - 9));
  }
  if (found.size() == 1) return {found[0], found[0]};
  base::fail("its settings do not name the languages ('source_lang', 'target_lang')");
}

}  // namespace

ConvertedModel read_fairseq(ModelFiles& files, const std::string& name) {
  return with_name_once(files.path_of(name), [&] {
    const store::TorchFile file(files.bytes(name));
    const auto& pickle = file.pickle();
    auto settings = settings_of(pickle);
    ConvertedModel model;
    model.config = config_of(settings);
    const auto dictionary = pickle.at(pickle.root(), "model");
    if (!dictionary) base::fail("no weights ('model')");
    const auto arrays = file.tensors(*dictionary);
    ForeignWeights weights(arrays);
    weights.after_reading([&] {
      files.forget();
      file.forget();
    });
    const auto [source_language, target_language] = languages_of(files, settings);
    const auto source = tokens_of(files, source_language),
               target = tokens_of(files, target_language);
    if (model.config.transformer.tie == model::Tie::kAll && source.tokens != target.tokens)
      base::fail("'share_all_embeddings' needs the same dictionary on both sides");
    model.config.source_vocabulary = static_cast<std::uint32_t>(source.tokens.size());
    model.config.vocabulary = static_cast<std::uint32_t>(target.tokens.size());
    set_vocabularies(model, source, target);
    read_positions(weights, model);
    weights.read_all(model, FairseqNames(weights));
    ignore_copies(weights, arrays);
    weights.require_all_known();
    return model;
  });
}

}  // namespace awend::interchange
