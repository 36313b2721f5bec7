// Transformers of Sockeye 3.
#include <algorithm>

#include "base/error.hpp"
#include "interchange/foreign_settings.hpp"
#include "interchange/foreign_weights.hpp"
#include "interchange/formats.hpp"
#include "interchange/transformer_settings.hpp"
#include "store/torch_file.hpp"

namespace awend::interchange {
namespace {

using model::Switch;

constexpr base::Word<nn::Activation> kActivations[] = {{nn::Activation::kRelu, "relu"},
                                                       {nn::Activation::kSwish, "swish1"},
                                                       {nn::Activation::kGelu, "gelu"}};
constexpr base::Word<model::Tie> kTies[] = {{model::Tie::kNone, "none"},
                                            {model::Tie::kAll, "src_trg_softmax"},
                                            {model::Tie::kEmbeddings, "src_trg"},
                                            {model::Tie::kDecoder, "trg_softmax"}};

/// Throws Error unless the setting has one value on both sides, which is returned.
std::string both(ForeignSettings& settings, const std::string& name) {
  const auto encoder = settings.text("config_encoder." + name),
             decoder = settings.text("config_decoder." + name);
  if (encoder != decoder)
    base::fail("setting '", name, "' is '", encoder, "' in the encoder and '", decoder,
               "' in the decoder");
  return encoder;
}

void require_supported(ForeignSettings& settings) {
  for (const std::string side : {"config_encoder.", "config_decoder."}) {
    settings.require(side + "decoder_type", {"transformer"}, "another decoder");
    settings.require(side + "positional_embedding_type", {"fixed"}, "another kind of positions");
    settings.require(side + "block_prepended_cross_attention", {"false"}, "this option");
    settings.require(side + "use_glu", {"false"}, "a gated linear unit");
    settings.require(side + "use_lhuc", {"false"}, "LHUC");
    settings.ignore({side + "dropout_*", side + "max_seq_len_*", side + "depth_key_value",
                     side + "attention_heads_*"});
  }
  for (const std::string side : {"config_embed_source.", "config_embed_target."}) {
    settings.require(side + "factor_configs", {"null"}, "factored input");
    settings.require(side + "num_factors", {"1"}, "factored input");
    settings.ignore(
        {side + "allow_sparse_grad", side + "dropout", side + "num_embed", side + "vocab_size"});
  }
  settings.require("config_length_task", {"null"}, "a length task");
  settings.require("lhuc", {"false"}, "LHUC");
  settings.require("neural_vocab_selection", {"null"}, "neural vocabulary selection");
  settings.require("dtype", {"float32", "float16", "bfloat16"}, "another type of weights");
  settings.ignore({"config_data*", "config_encoder", "config_decoder", "config_embed_source",
                   "config_embed_target", "neural_vocab_selection_block_loss", "intgemm_*"});
}

/// d dropout, r residual, n normalization.
void read_norms(ForeignSettings& settings, model::Config& config) {
  const auto before = both(settings, "preprocess_sequence"),
             after = both(settings, "postprocess_sequence");
  if (before == "n" && (after == "dr" || after == "r")) {
    config.transformer.norm = model::Norm::kPre;
  } else if (!before.empty() || (after != "drn" && after != "rn")) {
    base::fail("settings 'preprocess_sequence' and 'postprocess_sequence': '", before, "' and '",
               after, "' are not supported");
  }
}

model::Config config_of(ForeignSettings& settings) {
  require_supported(settings);
  model::Config config;
  auto& transformer = config.transformer;
  const auto count = [&](const std::string& name) {
    ForeignSettings one;
    one.set(name, both(settings, name));
    return one.count(name);
  };
  config.d_model = count("model_size");
  const auto sizes = [&](const std::string& side) {
    return SideSizes{settings.count(side + ".attention_heads"),
                     settings.count(side + ".feed_forward_num_hidden")};
  };
  set_sizes(config, sizes("config_encoder"), sizes("config_decoder"));
  config.encoder_layers = settings.count("config_encoder.num_layers");
  config.decoder_layers = settings.count("config_decoder.num_layers");
  transformer.activation = word_in<kActivations>("act_type", both(settings, "act_type"));
  read_norms(settings, config);
  transformer.tie = word_in<kTies>("weight_tying_type", settings.text("weight_tying_type", "none"));
  config.source_vocabulary = settings.count("vocab_source_size");
  config.vocabulary = settings.count("vocab_target_size");
  transformer.output_bias = Switch::kOn;
  transformer.positions = model::Positions::kStored;
  config.decoder_start = model::DecoderStart::kToken;
  settings.require_all_known();
  return config;
}

/// Output `output` of keys or values, which are interleaved by head after the queries.
Location interleaved(const std::string& name, std::uint32_t queries, std::uint32_t part,
                     std::uint32_t columns, std::uint32_t heads) {
  const std::uint32_t size = columns / heads;
  return {.name = name,
          .order = Location::Order::kTransposed,
          .all_outputs = queries + 2 * columns,
          .output_of = [=](std::uint32_t output) {
            return queries + (2 * (output / size) + part) * size + output % size;
          }};
}

class SockeyeNames {
 public:
  explicit SockeyeNames(const model::Config& config) : config_(config) {}

  Location operator()(const model::WeightShape& weight) const {
    if (weight.side.empty()) return table(weight.part);
    const bool encoder = weight.side == "encoder";
    const auto dot = weight.part.find('.');
    const auto block = weight.part.substr(0, dot), part = weight.part.substr(dot + 1);
    const std::string end = part == "gain" ? ".weight" : ".bias";
    if (!weight.layer) return {.name = weight.side + ".final_process.layer_norm" + end};
    const auto prefix = base::concat(weight.side, ".layers.", *weight.layer, ".");
    const std::string self = encoder ? "self_attention" : "autoregr_layer";
    const std::string process = config_.transformer.norm == model::Norm::kPre ? "pre_" : "post_";
    if (block == "feed_forward") {
      const auto biased = without_end(part, "_bias");
      return {.name = prefix + (biased.value_or(part) == "inner" ? "ff.ff1" : "ff.ff2") +
                      (biased ? ".bias" : ".weight"),
              .order = Location::Order::kTransposed};
    }
    if (const auto normed = without_end(block, "_norm")) {
      const std::string name = *normed == "self"    ? self
                               : *normed == "cross" ? "enc_attention"
                                                    : "ff";
      return {.name = prefix + process + name + ".layer_norm" + end};
    }
    return attention(prefix, block == "self" ? self + "." : "enc_attention.", part, weight.columns);
  }

 private:
  Location attention(const std::string& prefix, const std::string& block, const std::string& part,
                     std::uint32_t columns) const {
    const auto order = Location::Order::kTransposed;
    if (part == "output") return {.name = prefix + block + "ff_out.weight", .order = order};
    const bool cross = block.starts_with("enc_");
    const auto side = prefix.starts_with("encoder") ? config_ : model::decoder_side(config_);
    if (part != "query") {
      return interleaved(prefix + block + (cross ? "ff_kv.weight" : "ff_in.weight"),
                         cross ? 0 : columns, part == "value" ? 1 : 0, columns,
                         side.transformer.heads);
    }
    if (cross) return {.name = prefix + block + "ff_q.weight", .order = order};
    return {.name = prefix + block + "ff_in.weight",
            .order = order,
            .all_outputs = 3 * columns,
            .output_of = [](std::uint32_t output) { return output; }};
  }

  Location table(const std::string& part) const {
    if (part == "output_bias") return {.name = "output_layer.bias"};
    if (part == "projection") return {.name = "output_layer.weight"};
    if (part == "source_positions") return {.name = "encoder.pos_embedding.weight"};
    if (part == "target_positions") return {.name = "decoder.pos_embedding.weight"};
    if (part == "source_embedding") return {.name = "embedding_source.embedding.weight"};
    return {.name = "embedding_target.embedding.weight"};
  }

  const model::Config& config_;
};

/// The rows that both tables of positions have.
std::uint32_t longest_of(const ForeignWeights& weights) {
  const auto &source = weights.shape("encoder.pos_embedding.weight"),
             &target = weights.shape("decoder.pos_embedding.weight");
  if (source.size() != 2 || source != target)
    base::fail("the tables of positions ('pos_embedding.weight') have different shapes");
  return static_cast<std::uint32_t>(source[0]);
}

TokenList tokens_of(ModelFiles& files, const std::string& name) {
  return with_name_once(files.path_of(name), [&] {
    TokenList list;
    list.tokens = tokens_of_json(files.text(name));
    return list;
  });
}

}  // namespace

ConvertedModel read_sockeye(ModelFiles& files, const std::string& name) {
  ConvertedModel model;
  with_name_once(files.path_of("config"), [&] {
    auto settings = ForeignSettings::from_yaml(files.text("config"));
    model.config = config_of(settings);
  });
  const auto source = tokens_of(files, "vocab.src.0.json"),
             target = tokens_of(files, "vocab.trg.0.json");
  with_name_once(files.path_of(name), [&] {
    set_vocabularies(model, source, target);
    const auto start = model.vocabulary->find("<s>");
    if (!start) base::fail("the vocabulary has no token '<s>', which begins the output");
    model.config.start_id = *start;
    const store::TorchFile file(files.bytes(name));
    ForeignWeights weights(file.tensors(file.pickle().root()));
    model.config.max_positions = longest_of(weights);
    weights.read_all(model, SockeyeNames(model.config));
    // Tied matrices are stored again.
    weights.ignore("embedding_source.embedding.weight");
    weights.ignore("output_layer.weight");
    weights.require_all_known();
  });
  return model;
}

}  // namespace awend::interchange
