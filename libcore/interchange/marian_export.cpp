// Writes models of Marian in its binary format.
#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/output_directory.hpp"
#include "interchange/export.hpp"
#include "interchange/marian_arrays.hpp"
#include "interchange/transformer_settings.hpp"
#include "store/marian_binary.hpp"

namespace awend::interchange {
namespace {

using model::Switch;

constexpr std::string_view kShortlist = "lex.s2t.bin";
// Defaults of the search, where a model has no own.
constexpr double kMaxLengthRatio = 1, kMaxLengthExtra = 50;

std::string yaml_of(const text::Vocabulary& vocabulary) {
  std::string out = "</s>: 0\n<unk>: 1\n";
  const auto order = marian_order(vocabulary);
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

/// Writes the SentencePiece model that splits the text of a list of tokens, as releases of OPUS-MT
/// have it.
void write_splitter(base::OutputDirectory& output, const std::string& name,
                    const text::Vocabulary& vocabulary) {
  const auto& splitter = vocabulary.content().model;
  if (!splitter.empty() && !is_sentencepiece_of_marian(vocabulary)) output.write(name, splitter);
}

void require_marian(const model::Config& config, std::string_view format) {
  const auto& transformer = config.transformer;
  const auto require = [&](bool has, std::string_view what) {
    require_setting(has, what, format, config);
  };
  require(transformer.positions == model::Positions::kSinusoid, "positions must be sinusoid");
  require_plain_layers(config, format);
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

/// Throws Inexpressible unless the sizes are those that intgemm multiplies: blocks of 64 rows and 8
/// columns.
void require_multiple(std::string_view setting, std::uint32_t size, std::uint32_t of,
                      std::string_view format) {
  require_expressible(size % of == 0, base::concat(setting, " must be a multiple of ", of),
                      base::concat(format, ", not ", size));
}

void require_int8(const ConvertedModel& model, std::string_view format) {
  const auto& transformer = model.config.transformer;
  require_multiple("d-model", model.config.d_model, 64, format);
  require_multiple("d-ff", transformer.d_ff, 64, format);
  require_multiple("decoder-d-ff", transformer.decoder_d_ff, 64, format);
  for (const auto& weight : model::transformer_weights(model.config)) {
    bool is_finite = true;
    model.weights.for_parts(weight.name(), weight.columns, [&](std::span<const float> part) {
      is_finite = is_finite && std::ranges::all_of(part, [](float x) { return std::isfinite(x); });
    });
    require_expressible(is_finite, base::concat("weight '", weight.name(), "' must be finite"),
                        format);
  }
}

/// The fork of Marian in Firefox only has what its models need.
void require_firefox(const ConvertedModel& model, std::string_view format) {
  const auto& config = model.config;
  require_setting(
      config.transformer.tie == model::Tie::kAll || config.transformer.tie == model::Tie::kDecoder,
      "tie must be all or decoder", format, config);
  for (const auto* vocabulary : {&model.vocabulary, &model.source_vocabulary}) {
    if (!*vocabulary) continue;
    require_expressible(is_sentencepiece_of_marian(**vocabulary),
                        "the vocabulary must be a SentencePiece model with the end as id 0 and the "
                        "unknown token as id 1",
                        format);
    require_multiple("the size of the vocabulary", (*vocabulary)->size(), 8, format);
  }
  if (model.activation_scales.empty()) return;
  for (const auto& weight : model::transformer_weights(config)) {
    require_expressible(
        model.activation_scales.contains(weight.name()) ||
            !(is_layer_matrix(weight) || is_output_matrix(config, weight)),
        base::concat("weight '", weight.name(), "' must have an activation scale, as others do,"),
        format);
  }
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
      flag(!has_marian_output_bias(config)),
      "\nright-left: false\nskip: false\ntied-embeddings: ", flag(output && !source),
      "\ntied-embeddings-all: ", flag(output && source),
      "\ntied-embeddings-src: ", flag(source && !output),
      "\ntransformer-aan-activation: swish\ntransformer-aan-depth: 2\n"
      "transformer-aan-nogate: false\ntransformer-decoder-autoreg: ",
      model::has_ssru(config) ? "rnn" : "self-attention",
      "\ntransformer-decoder-dim-ffn: ", transformer.decoder_d_ff,
      "\ntransformer-decoder-ffn-depth: 0\ntransformer-dim-aan: 2048\n",
      "transformer-dim-ffn: ", transformer.d_ff,
      "\ntransformer-ffn-activation: ", nn::name_of(transformer.activation),
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

std::string_view name_of(MarianForm form) {
  return form == MarianForm::kFirefox ? "Firefox" : "Marian";
}

/// As Firefox names them; it uses the fixed scales of a model by its name.
std::string_view weights_file(const ConvertedModel& model, MarianForm form) {
  if (form == MarianForm::kFloat32) return "model.bin";
  const bool has_scales = form == MarianForm::kFirefox && !model.activation_scales.empty();
  return has_scales ? "model.intgemm.alphas.bin" : "model.intgemm8.bin";
}

/// What the fork of Marian in Firefox needs besides the settings of marian-decoder.
std::string firefox_settings(const ConvertedModel& model) {
  // The longest part of a line that is translated at once, and the tokens of a batch, which must
  // have room for its translation.
  constexpr double kMaxLength = 128, kBatch = 1024;
  const double tokens = std::ceil(kMaxLength * max_length_factor(model.search));
  return base::concat("max-length-break: ", kMaxLength,
                      "\nmini-batch-words: ", std::max(kBatch, tokens), "\ngemm-precision: ",
                      model.activation_scales.empty() ? "int8shiftAll" : "int8shiftAlphaAll", "\n");
}

/// The vocabularies of source and target, by the names of their files.
struct Vocabularies {
  std::string source, target;
};

std::string decoder_settings(const ConvertedModel& model, MarianForm form,
                             const Vocabularies& vocabularies) {
  const bool is_firefox = form == MarianForm::kFirefox;
  const auto& search = model.search;
  return base::concat("relative-paths: true\nmodels:\n  - ", weights_file(model, form),
                      "\nvocabs:\n  - ", vocabularies.source, "\n  - ", vocabularies.target,
                      "\nbeam-size: ", search.find("beam-size").value_or("4"),
                      "\nnormalize: ", search.find("alpha").value_or("0.6"),
                      "\nmax-length-factor: ", max_length_factor(search), "\nallow-unk: ",
                      search.find("unknown-tokens").value_or("on") == "off" ? "false" : "true",
                      "\n", is_firefox ? firefox_settings(model) : "",
                      model.shortlist ? base::concat("shortlist:\n  - ", kShortlist, "\n") : "",
                      // Whether its checksum is tested, which Firefox's models have here.
                      model.shortlist && is_firefox ? "  - false\n" : "");
}

void write(const std::string& directory, const ConvertedModel& model, MarianForm form) {
  const auto format = name_of(form);
  require_transformer(model.config, format);
  require_marian(model.config, format);
  require_expressible(starts_with_zeros(model), "decoder-start must be zero, or a token of zeros",
                      format);
  if (form != MarianForm::kFloat32) require_int8(model, base::concat(format, " with 8 bits"));
  if (form == MarianForm::kFirefox) require_firefox(model, format);
  const MarianArrays arrays(model, form);
  base::OutputDirectory output(directory);
  Vocabularies vocabularies;
  vocabularies.target =
      write_vocabulary(output, model.source_vocabulary ? "vocab.trg" : "vocab", *model.vocabulary);
  vocabularies.source = model.source_vocabulary
                            ? write_vocabulary(output, "vocab.src", *model.source_vocabulary)
                            : vocabularies.target;
  write_splitter(output, "source.spm", model.source_vocabulary.value_or(*model.vocabulary));
  write_splitter(output, "target.spm", *model.vocabulary);
  if (model.shortlist) {
    const auto target_order = marian_order(*model.vocabulary);
    const auto source_order =
        model.source_vocabulary ? marian_order(*model.source_vocabulary) : target_order;
    output.write(std::string(kShortlist), store::write_marian_shortlist(reordered(
                                              *model.shortlist, source_order, target_order)));
  }
  const std::string weights(weights_file(model, form));
  output.write(weights + ".decoder.yml", decoder_settings(model, form, vocabularies));
  output.write_by(weights, [&](const std::string& path) {
    store::write_marian_binary(path, arrays.all(), settings_of(model.config),
                               form == MarianForm::kFirefox ? store::MarianDialect::kBrowser
                                                            : store::MarianDialect::kMarian);
  });
  output.commit();
}

}  // namespace

std::optional<std::string> marian_difference(const model::Config& config) {
  if (config.transformer.norm != model::Norm::kPre || model::has_ssru(config)) return std::nullopt;
  // Measured with Marian 1.12: the first token has the same probability.
  return "Marian's search finds other translations with norm pre: the self-attention of its "
         "decoder "
         "differs from the second token on; models with SSRU or norm post are exact";
}

void write_marian_model(const std::string& directory, const ConvertedModel& model) {
  write(directory, model, MarianForm::kFloat32);
}

void write_marian_int8_model(const std::string& directory, const ConvertedModel& model) {
  write(directory, model, MarianForm::kInt8);
}

void write_firefox_model(const std::string& directory, const ConvertedModel& model) {
  write(directory, model, MarianForm::kFirefox);
}

}  // namespace awend::interchange
