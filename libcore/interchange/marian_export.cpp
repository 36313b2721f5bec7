// Writes models of Marian in its binary format.
#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/output_directory.hpp"
#include "interchange/export.hpp"
#include "interchange/foreign_weights.hpp"
#include "interchange/names.hpp"
#include "interchange/streamed_weights.hpp"
#include "interchange/transformer_settings.hpp"
#include "store/marian_binary.hpp"

namespace awend::interchange {
namespace {

using model::Switch;

constexpr std::string_view kShortlist = "lex.s2t.bin";
// The logit of a token that is never generated.
constexpr float kNever = -1e9f;
// Defaults of the search, where a model has no own.
constexpr double kMaxLengthRatio = 1, kMaxLengthExtra = 50;

/// For each id that Marian shall have, the id of the vocabulary: the end is 0, unknown is 1.
std::vector<std::uint32_t> order_of(const text::Vocabulary& vocabulary) {
  std::vector<std::uint32_t> order{vocabulary.end_of_sentence(), vocabulary.unknown()};
  for (std::uint32_t id = 0; id < vocabulary.size(); ++id) {
    if (id != order[0] && id != order[1]) order.push_back(id);
  }
  return order;
}

std::string yaml_of(const text::Vocabulary& vocabulary) {
  std::string out = "</s>: 0\n<unk>: 1\n";
  const auto order = order_of(vocabulary);
  for (std::size_t id = 2; id < order.size(); ++id)
    out += base::concat(base::json_string(vocabulary.piece(order[id])), ": ", id, "\n");
  return out;
}

/// A SentencePiece model with the ids that Marian shall have is its vocabulary, so that it splits
/// text, too; Marian is often built to read such models.
bool is_sentencepiece_of_marian(const text::Vocabulary& vocabulary) {
  return vocabulary.type() == text::VocabularyType::kSentencePiece &&
         vocabulary.end_of_sentence() == 0 && vocabulary.unknown() == 1;
}

/// Writes a vocabulary as NAME.spm or NAME.yml, and returns its name.
std::string write_vocabulary(base::OutputDirectory& output, const std::string& name,
                             const text::Vocabulary& vocabulary) {
  const bool has_pieces = is_sentencepiece_of_marian(vocabulary);
  const std::string file = name + (has_pieces ? ".spm" : ".yml");
  output.write(file, has_pieces ? vocabulary.content().model : yaml_of(vocabulary));
  return file;
}

void require_marian(const model::Config& config) {
  const auto& transformer = config.transformer;
  const auto require = [](bool has, std::string_view what) {
    require_expressible(has, what, "Marian");
  };
  require(transformer.positions == model::Positions::kSinusoid, "positions must be sinusoid");
  require_plain_layers(config, "Marian");
  require(transformer.activation != nn::Activation::kGeluTanh &&
              transformer.activation != nn::Activation::kGeluSigmoid,
          "activation must be relu, gelu or swish");
  require(transformer.sinusoid_layout == model::SinusoidLayout::kHalvesMinusOne,
          "sinusoid-layout must be halves-minus-one");
  require(transformer.first_position == 0, "first-position must be 0");
  require(transformer.norm_epsilon == 1e-6, "norm-epsilon must be 1e-06");
  require(transformer.source_end == Switch::kOn, "source-end must be on");
  require(transformer.embedding_scale == nn::EmbeddingScale::kRootOfColumns,
          "embedding-scale must be sqrt-d-model");
  require(transformer.decoder_heads == 0 || transformer.decoder_heads == transformer.heads,
          "decoder-heads must be those of the encoder");
  require(
      transformer.d_k * transformer.heads == config.d_model && transformer.d_v == transformer.d_k,
      "d-k and d-v must be d-model / heads");
  require(model::has_final_norm(config, model::FinalNorm::kEncoder) ==
              model::has_final_norm(config, model::FinalNorm::kDecoder),
          "final-norm must be the same in encoder and decoder");
}

/// Whether the decoder starts with zeros, perhaps those of a token, as the padding of MarianMT.
bool starts_with_zeros(const ConvertedModel& model) {
  const auto& config = model.config;
  if (config.decoder_start == model::DecoderStart::kZero) return true;
  if (config.decoder_start != model::DecoderStart::kToken) return false;
  const auto name = model.weights.contains("embedding") ? "embedding" : "target_embedding";
  bool is_zero = true;
  model.weights.for_rows(name, config.d_model, std::span(&config.start_id, 1),
                         [&](std::span<const float> row) {
                           is_zero = std::ranges::all_of(row, [](float x) { return x == 0; });
                         });
  return is_zero;
}

/// Marian has no masked ids; a bias has the same effect.
bool has_output_bias(const model::Config& config) {
  return config.transformer.output_bias == Switch::kOn || !config.transformer.masked_ids.empty();
}

/// Of the source with its end, which Marian counts.  No output is shorter than here: with another
/// sum of a ratio and a number of tokens, the limits are equal for a source of one token.
double max_length_factor(const store::Settings& search) {
  const auto real = [&](std::string_view name, double by_default) {
    return search.find(name) ? search.number(name) : by_default;
  };
  const double ratio = real("max-length-ratio", kMaxLengthRatio),
               extra = real("max-length-extra", kMaxLengthExtra);
  return extra == std::ceil(ratio) ? ratio : std::max(ratio, (ratio + extra) / 2);
}

std::string_view activation_of(nn::Activation activation) {
  return nn::name_of(activation);
}

std::string settings_of(const model::Config& config) {
  const auto& transformer = config.transformer;
  const bool pre = transformer.norm == model::Norm::kPre,
             source =
                 transformer.tie == model::Tie::kAll || transformer.tie == model::Tie::kEmbeddings,
             output =
                 transformer.tie == model::Tie::kAll || transformer.tie == model::Tie::kDecoder,
             top = model::has_final_norm(config, model::FinalNorm::kEncoder);
  const auto flag = [](const bool& value) { return value ? "true" : "false"; };
  return base::concat(
      "dec-cell: ", model::has_ssru(config) ? "ssru" : "gru",
      "\ndec-cell-base-depth: 2\ndec-cell-high-depth: 1\ndec-depth: ", config.decoder_layers,
      "\ndim-emb: ", config.d_model, "\ndim-rnn: 1024\ndim-vocabs:\n  - ",
      model::source_vocabulary_of(config), "\n  - ", config.vocabulary,
      "\nenc-cell: gru\nenc-cell-depth: 1\nenc-depth: ", config.encoder_layers,
      "\nenc-type: bidirectional\nfactors-combine: sum\nfactors-dim-emb: 0\ninput-types:\n  []\n"
      "layer-normalization: false\nlemma-dependency: \"\"\nlemma-dim-emb: 0\noutput-omit-bias: ",
      flag(!has_output_bias(config)),
      "\nright-left: false\nskip: false\ntied-embeddings: ", flag(output && !source),
      "\ntied-embeddings-all: ", flag(output && source),
      "\ntied-embeddings-src: ", flag(source && !output),
      "\ntransformer-aan-activation: swish\ntransformer-aan-depth: 2\n"
      "transformer-aan-nogate: false\ntransformer-decoder-autoreg: ",
      model::has_ssru(config) ? "rnn" : "self-attention",
      "\ntransformer-decoder-dim-ffn: ", transformer.decoder_d_ff,
      "\ntransformer-decoder-ffn-depth: 0\ntransformer-dim-aan: 2048\n",
      "transformer-dim-ffn: ", transformer.d_ff,
      "\ntransformer-ffn-activation: ", activation_of(transformer.activation),
      "\ntransformer-ffn-depth: 2\ntransformer-guided-alignment-layer: ",
      transformer.guided_alignment_layer == 0 ? "last"
                                              : base::concat(transformer.guided_alignment_layer),
      "\ntransformer-heads: ", transformer.heads,
      "\ntransformer-no-projection: false\ntransformer-postprocess: ", pre ? "da" : "dan",
      "\ntransformer-postprocess-emb: ", transformer.embedding_norm == Switch::kOn ? "nd" : "d",
      "\ntransformer-postprocess-top: ", top ? "n" : "\"\"",
      "\ntransformer-preprocess: ", pre ? "n" : "\"\"",
      transformer.ssru_projection == Switch::kOn ? "\ntransformer-rnn-projection: true" : "",
      "\ntransformer-tied-layers:\n  []\ntransformer-train-position-embeddings: false\n"
      "type: transformer\nulr: false\nulr-dim-emb: 0\nulr-trainable-transformation: false\n"
      "version: v1.12.0\n");
}

/// A shortlist in the ids of orders, which have the end and the unknown token first.
store::LexicalShortlist reordered(const store::LexicalShortlist& shortlist,
                                  const std::vector<std::uint32_t>& source,
                                  const std::vector<std::uint32_t>& target) {
  std::vector<std::uint32_t> place_of(target.size());
  for (std::uint32_t place = 0; place < target.size(); ++place) place_of[target[place]] = place;
  store::LexicalShortlist other{
      .first = shortlist.first, .best = shortlist.best, .source_ids = shortlist.source_ids};
  // The two are always allowed here, and must be there.
  for (const auto special : {target[0], target[1]}) {
    if (special >= shortlist.first) ++other.first;
  }
  std::vector<std::uint32_t> list;
  for (const auto id : source) {
    list.clear();
    for (const auto target_id : shortlist.of(id)) list.push_back(place_of[target_id]);
    std::ranges::sort(list);
    other.append(list);
  }
  return other;
}

class Exporter {
 public:
  explicit Exporter(const ConvertedModel& model)
      : model_(model),
        config_(model.config),
        target_(order_of(*model.vocabulary)),
        source_(model.source_vocabulary ? order_of(*model.source_vocabulary) : target_) {}

  void write(const std::string& path) {
    for (const auto& weight : model::transformer_weights(config_)) add(weight);
    if (has_output_bias(config_)) add_output_bias();
    // Marian always has the biases of attention.
    if (config_.transformer.attention_bias == Switch::kOff) {
      for (std::uint32_t i = 1; i <= config_.encoder_layers; ++i)
        add_zeros(base::concat("encoder_l", i, "_self_b"));
      for (std::uint32_t i = 1; i <= config_.decoder_layers; ++i) {
        if (!model::has_ssru(config_)) add_zeros(base::concat("decoder_l", i, "_self_b"));
        add_zeros(base::concat("decoder_l", i, "_context_b"));
      }
    }
    store::write_marian_binary(path, arrays_, settings_of(config_));
  }

 private:
  void add(const model::WeightShape& weight) {
    const auto location = marian_location(weight, [&](std::string_view name) { return has(name); });
    auto array = streamed(model_, weight, location);
    if (weight.side.empty()) {
      // A table, or a vector, of the vocabulary.
      const auto& order = weight.part == "source_embedding" ? source_ : target_;
      array.write = [this, weight, is_transposed = location.order == Location::Order::kTransposed,
                     &order](const store::WriteFloats& write) {
        if (!is_transposed)
          return model_.weights.for_rows(weight.name(), weight.columns, order, write);
        std::vector<float> table;
        model_.weights.for_rows(weight.name(), weight.columns, order,
                                [&](std::span<const float> rows) {
                                  table.insert(table.end(), rows.begin(), rows.end());
                                });
        write(transposed(table, weight.rows));
      };
    }
    if (weight.part == "output_bias") return;  // see add_output_bias()
    arrays_.push_back(std::move(array));
  }

  void add_output_bias() {
    auto bias = config_.transformer.output_bias == Switch::kOn
                    ? model_.weights.at("output_bias")
                    : std::vector<float>(config_.vocabulary);
    for (const auto id : config_.transformer.masked_ids) bias[id] = kNever;
    std::vector<float> reordered;
    for (const auto id : target_) reordered.push_back(bias[id]);
    arrays_.push_back({"decoder_ff_logit_out_b",
                       {1, config_.vocabulary},
                       [reordered](const store::WriteFloats& write) { write(reordered); }});
  }

  /// Whether Marian's name of a weight may be this one, of two.
  bool has(std::string_view name) const {
    if (name == "Wemb")
      return config_.transformer.tie == model::Tie::kAll ||
             config_.transformer.tie == model::Tie::kEmbeddings;
    if (name.ends_with("_Wt")) return false;
    if (name.find("_emb_ln_") != name.npos) return true;
    return config_.transformer.norm == model::Norm::kPre && name.find("_top_") == name.npos;
  }

  void add_zeros(const std::string& prefix) {
    for (const char part : {'q', 'k', 'v', 'o'})
      arrays_.push_back({prefix + part,
                         {1, config_.d_model},
                         [count = config_.d_model](const store::WriteFloats& write) {
                           write(std::vector<float>(count));
                         }});
  }

  const ConvertedModel& model_;
  const model::Config& config_;
  std::vector<std::uint32_t> target_, source_;
  std::vector<store::StreamedArray> arrays_;
};

}  // namespace

std::optional<std::string> marian_difference(const model::Config& config) {
  if (config.transformer.norm != model::Norm::kPre || model::has_ssru(config)) return std::nullopt;
  // Measured with Marian 1.12: the first token has the same probability.
  return "Marian's search finds other translations with norm pre: the self-attention of its "
         "decoder "
         "differs from the second token on; models with SSRU or norm post are exact";
}

void write_marian_model(const std::string& directory, const ConvertedModel& model) {
  require_transformer(model.config, "Marian");
  require_marian(model.config);
  require_expressible(starts_with_zeros(model), "decoder-start must be zero, or a token of zeros",
                      "Marian");
  Exporter exporter(model);
  base::OutputDirectory output(directory);
  const auto target =
      write_vocabulary(output, model.source_vocabulary ? "vocab.trg" : "vocab", *model.vocabulary);
  const auto source = model.source_vocabulary
                          ? write_vocabulary(output, "vocab.src", *model.source_vocabulary)
                          : target;
  if (model.shortlist) {
    const auto target_order = order_of(*model.vocabulary);
    const auto source_order =
        model.source_vocabulary ? order_of(*model.source_vocabulary) : target_order;
    output.write(std::string(kShortlist), store::write_marian_shortlist(reordered(
                                              *model.shortlist, source_order, target_order)));
  }
  output.write(
      "model.bin.decoder.yml",
      base::concat("relative-paths: true\nmodels:\n  - model.bin\nvocabs:\n  - ", source, "\n  - ",
                   target, "\nbeam-size: ", model.search.find("beam-size").value_or("4"),
                   "\nnormalize: ", model.search.find("alpha").value_or("0.6"),
                   "\nmax-length-factor: ", max_length_factor(model.search), "\nallow-unk: ",
                   model.search.find("unknown-tokens").value_or("on") == "off" ? "false" : "true",
                   "\n",
                   model.shortlist ? base::concat("shortlist:\n  - ", kShortlist, "\n") : ""));
  output.write_by("model.bin", [&](const std::string& path) { exporter.write(path); });
  output.commit();
}

}  // namespace awend::interchange
