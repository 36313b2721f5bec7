// Writes models of CTranslate2.
#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <utility>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/json.hpp"
#include "base/output_directory.hpp"
#include "interchange/export.hpp"
#include "interchange/streamed_weights.hpp"
#include "interchange/transformer_settings.hpp"
#include "model/sinusoids.hpp"
#include "model/weight_layout.hpp"
#include "store/ctranslate2_binary.hpp"

namespace awend::interchange {
namespace {

using model::Switch;

// Of TransformerSpec in CTranslate2 4.
constexpr std::uint32_t kRevision = 7;
// Computed positions become a table of at least as many rows.
constexpr std::uint32_t kPositions = 2048;
// The logit of a token that is never generated.
constexpr float kNever = -1e9f;

/// The variables of the file.
class Variables {
 public:
  Variables() {
    output_.spec = "TransformerSpec";
    output_.revision = kRevision;
  }

  template <class Number>
  void add_scalar(const std::string& name, store::Type type, Number value) {
    output_.variables[name] = {
        type, {}, [value](const auto& write) { write(std::as_bytes(std::span(&value, 1))); }};
  }
  void add_flag(const std::string& name, int value) {
    add_scalar(name, store::Type::I8, static_cast<std::int8_t>(value));
  }
  /// `values(write)` calls its argument with parts of the values.
  void add(const std::string& name, std::vector<std::uint64_t> shape,
           std::function<void(const store::WriteFloats&)> values) {
    output_.variables[name] = {
        store::Type::F32, std::move(shape), [values = std::move(values)](const auto& write) {
          values([&](std::span<const float> part) { write(std::as_bytes(part)); });
        }};
  }
  void add_alias(const std::string& alias, const std::string& name) {
    output_.aliases[alias] = name;
  }
  void write(const std::string& path) const {
    base::OutputFile out(path);
    store::write_ctranslate2(output_, [&](std::string_view bytes) { out.write(bytes); });
    out.commit();
  }

 private:
  store::CTranslate2Output output_;
};

int number_of(nn::Activation activation) {
  switch (activation) {
    case nn::Activation::kGeluTanh:
      return 1;
    case nn::Activation::kGeluSigmoid:
      return 4;
    case nn::Activation::kGelu:
      return 3;
    case nn::Activation::kSwish:
      return 2;
    default:
      return 0;
  }
}

class Exporter {
 public:
  explicit Exporter(const ConvertedModel& model)
      : model_(model), config_(model.config), decoder_(model::decoder_side(model.config)) {
    if (config_.transformer.d_k != config_.transformer.d_v)
      base::fail("d-k ", config_.transformer.d_k, " and d-v ", config_.transformer.d_v,
                 " differ, but CTranslate2 has one size of heads");
  }

  void write(const std::string& path) {
    add_side("encoder", config_);
    add_side("decoder", decoder_);
    out_.add_flag("encoder/embeddings_merge", 0);
    out_.add_flag("encoder/multi_query_attention", 0);
    out_.add_flag("decoder/alibi", 0);
    out_.add_flag("decoder/alibi_use_positive_positions", 0);
    out_.add_flag("decoder/scale_alibi", 0);
    out_.add_scalar("decoder/alignment_heads", store::Type::I16, std::int16_t{1});
    out_.add_scalar("decoder/alignment_layer", store::Type::I16, alignment_layer());
    out_.add_flag("decoder/start_from_zero_embedding",
                  config_.decoder_start == model::DecoderStart::kZero ? 1 : 0);
    if (config_.transformer.output_scale == model::OutputScale::kInverseRootOfColumns) {
      out_.add_scalar("decoder/scale_outputs", store::Type::F32,
                      static_cast<float>(1 / std::sqrt(static_cast<double>(config_.d_model))));
    }
    add_embeddings();
    if (model::has_relative_positions(config_)) {
      add_relative_positions("encoder", "source_relative_positions", config_);
      add_relative_positions("decoder", "target_relative_positions", decoder_);
    } else {
      add_positions();
    }
    out_.write(path);
  }

 private:
  using Values = std::function<void(const store::WriteFloats&)>;

  /// The values of a weight, in their order.
  Values weight(const std::string& name) const {
    return [&weights = model_.weights, name](const store::WriteFloats& write) {
      write_matrix(weights, name, 1, write);
    };
  }

  /// The layer, from 0, whose first head has the alignment; −1: the last.
  std::int16_t alignment_layer() const {
    return static_cast<std::int16_t>(static_cast<int>(config_.transformer.guided_alignment_layer) -
                                     1);
  }

  void add_side(const std::string& side, const model::Config& config) {
    const auto& transformer = config.transformer;
    out_.add_flag(side + "/activation", number_of(transformer.activation));
    out_.add_scalar(side + "/num_heads", store::Type::I16,
                    static_cast<std::int16_t>(transformer.heads));
    out_.add_flag(side + "/pre_norm", transformer.norm == model::Norm::kPre ? 1 : 0);
    out_.add_flag(side + "/scale_embeddings",
                  transformer.embedding_scale == nn::EmbeddingScale::kOne ? 0 : 1);
    if (transformer.embedding_norm == Switch::kOn)
      add_norm(side + "/layernorm_embedding", side + ".embedding_norm");
    const auto stack = side == "encoder" ? model::FinalNorm::kEncoder : model::FinalNorm::kDecoder;
    if (model::has_final_norm(config, stack)) add_norm(side + "/layer_norm", side + ".norm");
    const auto layers = side == "encoder" ? config.encoder_layers : config.decoder_layers;
    for (std::uint32_t i = 0; i < layers; ++i) {
      const auto theirs = base::concat(side, "/layer_", i, "/"),
                 ours = base::concat(side, ".", i, ".");
      add_attention(theirs + "self_attention/", ours + "self", config);
      if (side == "decoder") add_attention(theirs + "attention/", ours + "cross", config);
      add_feed_forward(theirs + "ffn/", ours + "feed_forward", config);
    }
  }

  void add_norm(const std::string& theirs, const std::string& ours) {
    out_.add(theirs + "/gamma", {config_.d_model}, weight(ours + ".gain"));
    if (config_.transformer.norm_kind == model::NormKind::kLayer)
      out_.add(theirs + "/beta", {config_.d_model}, weight(ours + ".bias"));
  }

  /// Matrices (inputs, outputs) as one of (all outputs, inputs), and their biases.
  void add_linear(const std::string& theirs, const std::vector<std::string>& ours,
                  std::uint32_t inputs) {
    std::uint64_t outputs = 0;
    std::vector<std::string> biases;
    for (const auto& name : ours) {
      outputs += model_.weights.count(name) / inputs;
      if (model_.weights.contains(name + "_bias")) biases.push_back(name + "_bias");
    }
    out_.add(theirs + "/weight", {outputs, inputs},
             [&weights = model_.weights, ours, inputs](const store::WriteFloats& write) {
               for (const auto& name : ours) write_transposed(weights, name, inputs, write);
             });
    if (biases.empty()) return;
    std::uint64_t size = 0;
    for (const auto& name : biases) size += model_.weights.count(name);
    out_.add(theirs + "/bias", {size},
             [&weights = model_.weights, biases](const store::WriteFloats& write) {
               for (const auto& name : biases) write_matrix(weights, name, 1, write);
             });
  }

  void add_attention(const std::string& theirs, const std::string& ours,
                     const model::Config& config) {
    const auto q = ours + ".query", k = ours + ".key", v = ours + ".value", o = ours + ".output";
    const auto d_model = config.d_model, width = config.transformer.heads * config.transformer.d_v;
    const bool is_self = theirs.ends_with("self_attention/");
    if (is_self) {
      add_linear(theirs + "linear_0", {q, k, v}, d_model);
      add_linear(theirs + "linear_1", {o}, width);
    } else {
      add_linear(theirs + "linear_0", {q}, d_model);
      add_linear(theirs + "linear_1", {k, v}, d_model);
      add_linear(theirs + "linear_2", {o}, width);
    }
    add_norm(theirs + "layer_norm", ours + "_norm");
    if (width != d_model) {
      out_.add_scalar(theirs + "head_dim", store::Type::I32,
                      static_cast<std::int32_t>(config.transformer.d_k));
    }
    if (config.transformer.attention_scale == model::AttentionScale::kOne)
      out_.add_scalar(theirs + "queries_scale", store::Type::F32, 1.0f);
  }

  void add_feed_forward(const std::string& theirs, const std::string& ours,
                        const model::Config& config) {
    const bool is_gated = config.transformer.feed_forward == model::FeedForwardKind::kGated;
    if (is_gated) add_linear(theirs + "linear_0", {ours + ".gate"}, config.d_model);
    add_linear(theirs + (is_gated ? "linear_0_noact" : "linear_0"), {ours + ".inner"},
               config.d_model);
    add_linear(theirs + "linear_1", {ours + ".outer"}, config.transformer.d_ff);
    add_norm(theirs + "layer_norm", ours + "_norm");
  }

  void add_embeddings() {
    const std::string source = "encoder/embeddings_0/weight", target = "decoder/embeddings/weight",
                      output = "decoder/projection/weight";
    const std::uint64_t vocabulary = config_.vocabulary, d_model = config_.d_model;
    const bool shared = config_.transformer.tie == model::Tie::kAll ||
                        config_.transformer.tie == model::Tie::kEmbeddings,
               tied = config_.transformer.tie == model::Tie::kAll ||
                      config_.transformer.tie == model::Tie::kDecoder;
    out_.add(target, {vocabulary, d_model}, weight(shared ? "embedding" : "target_embedding"));
    if (shared) {
      out_.add_alias(source, target);
    } else {
      out_.add(source, {model::source_vocabulary_of(config_), d_model}, weight("source_embedding"));
    }
    if (tied) {
      out_.add_alias(output, target);
    } else {
      out_.add(output, {vocabulary, d_model}, weight("projection"));
    }
    if (config_.transformer.output_bias == Switch::kOff && config_.transformer.masked_ids.empty())
      return;
    // CTranslate2 has no masked ids; a bias has the same effect.
    auto bias = config_.transformer.output_bias == Switch::kOn
                    ? model_.weights.at("output_bias")
                    : std::vector<float>(config_.vocabulary, 0);
    for (const auto id : config_.transformer.masked_ids) bias[id] = kNever;
    out_.add("decoder/projection/bias", {vocabulary},
             [bias = std::move(bias)](const store::WriteFloats& write) { write(bias); });
  }

  /// All layers of a side have the table of the first one.
  void add_relative_positions(const std::string& side, const std::string& ours,
                              const model::Config& config) {
    const auto& transformer = config.transformer;
    const auto layers = side == "encoder" ? config.encoder_layers : config.decoder_layers;
    std::string first;
    for (std::uint32_t i = 0; i < layers; ++i) {
      const auto prefix = base::concat(side, "/layer_", i, "/self_attention/relative_attention_");
      out_.add_scalar(prefix + "max_distance", store::Type::I32,
                      static_cast<std::int32_t>(transformer.relative_max_distance));
      if (i > 0) {
        out_.add_alias(prefix + "bias", first);
        continue;
      }
      first = prefix + "bias";
      out_.add(first, {transformer.relative_buckets, transformer.heads}, weight(ours));
    }
  }

  void add_positions() {
    const std::string names[] = {"encoder/position_encodings/encodings",
                                 "decoder/position_encodings/encodings"};
    if (!model::has_position_table(config_)) {
      const auto rows = std::max(config_.max_positions, kPositions);
      out_.add(names[1], {rows, config_.d_model},
               [table = model::SinusoidTable{.rows = rows,
                                             .columns = config_.d_model,
                                             .layout = config_.transformer.sinusoid_layout,
                                             .first = config_.transformer.first_position}](
                   const store::WriteFloats& write) { write(model::sinusoids(table)); });
      out_.add_alias(names[0], names[1]);
      return;
    }
    out_.add(names[0], {config_.max_positions, config_.d_model}, weight("source_positions"));
    out_.add(names[1], {config_.max_positions, config_.d_model}, weight("target_positions"));
  }

  const ConvertedModel& model_;
  const model::Config& config_;
  model::Config decoder_;
  Variables out_;
};

std::string tokens_text(const text::Vocabulary& vocabulary) {
  std::vector<std::string> tokens;
  for (std::uint32_t id = 0; id < vocabulary.size(); ++id)
    tokens.emplace_back(vocabulary.piece(id));
  return base::json_list(tokens, base::json_string, base::kListOfLines) + "\n";
}

std::string settings_text(const ConvertedModel& model) {
  const auto& config = model.config;
  const auto& vocabulary = *model.vocabulary;
  const auto end = vocabulary.piece(vocabulary.end_of_sentence());
  const bool starts = config.decoder_start == model::DecoderStart::kToken;
  const auto start = starts ? vocabulary.piece(config.start_id) : end;
  base::JsonObject object(base::kObjectOfLines);
  // As for CTranslate2's converter: users of multilingual models feed what the tokenizer of Hugging
  // Face makes, which begins with the language and has an end.
  const bool is_multilingual = !vocabulary.content().languages.empty();
  object.flag("add_source_bos", false)
      .flag("add_source_eos", config.transformer.source_end == Switch::kOn && !is_multilingual);
  object.text("bos_token", start).text("decoder_start_token", start).text("eos_token", end);
  object.number("layer_norm_epsilon", config.transformer.norm_epsilon);
  return object.text("unk_token", vocabulary.piece(vocabulary.unknown())).str() + "\n";
}

}  // namespace

void write_ctranslate2_model(const std::string& directory, const ConvertedModel& model) {
  require_transformer(model.config, "CTranslate2");
  require_setting(!model::has_ssru(model.config), "autoregressive-layer must be self-attention",
                  "CTranslate2", model.config);
  Exporter exporter(model);
  base::OutputDirectory output(directory, kCTranslate2Files);
  output.write("config.json", settings_text(model));
  if (model.source_vocabulary) {
    output.write("source_vocabulary.json", tokens_text(*model.source_vocabulary));
    output.write("target_vocabulary.json", tokens_text(*model.vocabulary));
  } else {
    output.write("shared_vocabulary.json", tokens_text(*model.vocabulary));
  }
  output.write_by("model.bin", [&](const std::string& path) { exporter.write(path); });
  const auto& pieces = model.vocabulary->content().model;
  const bool is_t5 = model::has_relative_positions(model.config),
             is_multilingual = !model.vocabulary->content().languages.empty();
  if ((is_t5 || is_multilingual) && !pieces.empty())
    output.write(is_t5 ? "spiece.model" : "sentencepiece.bpe.model", pieces);
  output.commit();
}

}  // namespace awend::interchange
