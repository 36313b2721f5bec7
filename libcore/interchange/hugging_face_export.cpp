// Writes a MarianMT for transformers of Hugging Face.

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/output_directory.hpp"
#include "interchange/export.hpp"
#include "interchange/hugging_face_bert.hpp"
#include "interchange/hugging_face_files.hpp"
#include "interchange/hugging_face_multilingual.hpp"
#include "interchange/hugging_face_t5.hpp"
#include "interchange/hugging_face_weights.hpp"
#include "interchange/transformer_settings.hpp"

namespace awend::interchange {
namespace {

using model::Switch;

void require_marian_mt(const model::Config& config) {
  const auto& transformer = config.transformer;
  const auto require = [&](bool has, std::string_view what) {
    require_setting(has, what, "MarianMT of Hugging Face", config);
  };
  require_plain_layers(config, "MarianMT of Hugging Face");
  require(!model::has_ssru(config), "autoregressive-layer must be self-attention");
  require(transformer.norm == model::Norm::kPost, "norm must be post");
  require(!model::has_final_norm(config, model::FinalNorm::kEncoder) &&
              !model::has_final_norm(config, model::FinalNorm::kDecoder),
          "final-norm must be none");
  require(transformer.embedding_norm == Switch::kOff, "embedding-norm must be off");
  require(transformer.positions == model::Positions::kSinusoid, "positions must be sinusoid");
  require(transformer.sinusoid_layout == model::SinusoidLayout::kHalves,
          "sinusoid-layout must be halves");
  require(transformer.first_position == 0, "first-position must be 0");
  require(transformer.norm_epsilon == 1e-5, "norm-epsilon must be 1e-05");
  require(config.decoder_start == model::DecoderStart::kToken, "decoder-start must be token");
  require(transformer.source_end == Switch::kOn, "source-end must be on");
  require(transformer.tie == model::Tie::kAll || transformer.tie == model::Tie::kDecoder,
          "tie must be all or decoder");
  require(
      transformer.d_k * transformer.heads == config.d_model && transformer.d_v == transformer.d_k,
      "d-k and d-v must be d-model / heads");
}

std::string_view token_of(const text::Vocabulary& vocabulary, std::uint32_t id) {
  return id == vocabulary.end_of_sentence() ? "</s>"
         : id == vocabulary.unknown()       ? "<unk>"
                                            : vocabulary.piece(id);
}

std::string vocabulary_text(const text::Vocabulary& vocabulary) {
  base::JsonObject ids(base::kObjectOfLines);
  for (std::uint32_t id = 0; id < vocabulary.size(); ++id) ids.count(token_of(vocabulary, id), id);
  return ids.str() + "\n";
}

/// The token that fills up the source, where attention leaves it out.  The default of transformers,
/// <pad>, would get an id that the model does not have.
std::string_view padding_of(const text::Vocabulary& source, std::uint32_t start_id) {
  return token_of(source, start_id < source.size() ? start_id : source.end_of_sentence());
}

std::string masked_text(const model::Config& config) {
  if (config.transformer.masked_ids.empty()) return "null";
  return base::json_list(
      config.transformer.masked_ids, [](auto id) { return base::concat("[", id, "]"); },
      base::kSpacedList);
}

/// The members of both files.
base::JsonObject generation_settings(const ConvertedModel& model) {
  const auto& config = model.config;
  base::JsonObject object(base::kObjectOfLines);
  object.value("bad_words_ids", masked_text(config));
  object.count("decoder_start_token_id", config.start_id);
  object.count("eos_token_id", model.vocabulary->end_of_sentence());
  object.count("forced_eos_token_id", model.vocabulary->end_of_sentence());
  add_search(object, {.start_tokens = 1, .tokens_around = 2, .max_length = 512, .num_beams = "4"},
             model.search);
  return object.count("pad_token_id", config.start_id);
}

base::JsonObject settings(const ConvertedModel& model) {
  const auto& config = model.config;
  const auto& transformer = config.transformer;
  const auto decoder = model::decoder_side(config);
  auto object = generation_settings(model);
  object.text("activation_function", hugging_face_activation(transformer.activation));
  object.value("architectures", "[\"MarianMTModel\"]").count("d_model", config.d_model);
  object.count("decoder_attention_heads", decoder.transformer.heads)
      .count("decoder_ffn_dim", decoder.transformer.d_ff);
  object.count("decoder_layers", config.decoder_layers);
  object.count("decoder_vocab_size", config.vocabulary);
  object.count("encoder_attention_heads", transformer.heads)
      .count("encoder_ffn_dim", transformer.d_ff);
  object.count("encoder_layers", config.encoder_layers).flag("is_encoder_decoder", true);
  object.count("max_position_embeddings", 1024).text("model_type", "marian");
  object.count("num_hidden_layers", config.encoder_layers);
  object.flag("scale_embedding", transformer.embedding_scale == nn::EmbeddingScale::kRootOfColumns);
  object.flag("share_encoder_decoder_embeddings", transformer.tie == model::Tie::kAll);
  object.flag("static_position_embeddings", true);
  return object.count("vocab_size", model::source_vocabulary_of(config));
}

/// transformers need the models that split text.
void write_splitter(base::OutputDirectory& output, const std::string& name,
                    const text::Vocabulary& vocabulary) {
  const auto& splitter = vocabulary.content().model;
  if (!splitter.empty()) output.write(name, splitter);
}

}  // namespace

void write_hugging_face_model(const std::string& directory, const ConvertedModel& model) {
  if (model::layout_of(model.config.architecture) == model::WeightLayout::kBert)
    return write_hugging_face_bert(directory, model);
  require_transformer(model.config, "Hugging Face");
  if (is_t5(model.config)) return write_t5(directory, model);
  if (!model.vocabulary->content().languages.empty())
    return write_hugging_face_multilingual(directory, model);
  require_marian_mt(model.config);
  const auto& source = model.source_vocabulary ? *model.source_vocabulary : *model.vocabulary;
  const auto source_text = vocabulary_text(source),
             target_text = vocabulary_text(*model.vocabulary);
  base::OutputDirectory output(directory, kHuggingFaceFiles);
  output.write("config.json", settings(model).str() + "\n");
  output.write("generation_config.json", generation_settings(model).str() + "\n");
  output.write("vocab.json", source_text);
  const bool separate = source_text != target_text;
  if (separate) output.write("target_vocab.json", target_text);
  base::JsonObject tokenizer(base::kObjectOfLines);
  tokenizer.flag("separate_vocabs", separate).text("tokenizer_class", "MarianTokenizer");
  tokenizer.text("pad_token", padding_of(source, model.config.start_id));
  output.write("tokenizer_config.json", tokenizer.str() + "\n");
  write_splitter(output, "source.spm", source);
  write_splitter(output, "target.spm", *model.vocabulary);
  output.write_by("model.safetensors",
                  [&](const std::string& path) { write_hugging_face_weights(path, model, {}); });
  output.commit();
}

}  // namespace awend::interchange
