// Writes T5, T5 v1.1, mT5 and MADLAD-400 for transformers of Hugging Face.
#include <algorithm>

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/output_directory.hpp"
#include "interchange/hugging_face_files.hpp"
#include "interchange/hugging_face_t5.hpp"
#include "interchange/streamed_weights.hpp"
#include "interchange/transformer_settings.hpp"
#include "model/weight_layout.hpp"
#include "text/sentencepiece/model.hpp"

namespace awend::interchange {
namespace {

using model::Switch;

constexpr std::string_view kFormat = "T5 of Hugging Face";

bool is_tied(const model::Config& config) {
  return config.transformer.tie == model::Tie::kAll;
}

void require_t5(const ConvertedModel& model) {
  const auto& config = model.config;
  const auto& transformer = config.transformer;
  const auto require = [&](bool has, std::string_view what) {
    require_setting(has, what, kFormat, config);
  };
  require(!model.source_vocabulary, "source and target must have one vocabulary");
  require(transformer.norm == model::Norm::kPre, "norm must be pre");
  require(transformer.norm_kind == model::NormKind::kRms, "norm-kind must be rms");
  require(model::has_final_norm(config, model::FinalNorm::kEncoder) &&
              model::has_final_norm(config, model::FinalNorm::kDecoder),
          "final-norm must be both");
  require(transformer.embedding_norm == Switch::kOff, "embedding-norm must be off");
  require(transformer.attention_bias == Switch::kOff, "attention-bias must be off");
  require(transformer.feed_forward_bias == Switch::kOff, "feed-forward-bias must be off");
  require(transformer.output_bias == Switch::kOff, "output-bias must be off");
  require(transformer.attention_scale == model::AttentionScale::kOne,
          "attention-scale must be none");
  require(transformer.embedding_scale == nn::EmbeddingScale::kOne, "embedding-scale must be none");
  require(is_tied(config) || transformer.tie == model::Tie::kEmbeddings,
          "tie must be all or embeddings");
  require((transformer.output_scale == model::OutputScale::kOne) == !is_tied(config),
          is_tied(config) ? "output-scale must be inverse-sqrt-d-model with tie all"
                          : "output-scale must be none with tie embeddings");
  require(config.decoder_start == model::DecoderStart::kToken, "decoder-start must be token");
  require(transformer.source_end == Switch::kOn, "source-end must be on");
  require(transformer.masked_ids.empty(), "masked-ids must be empty");
  require(transformer.d_k == transformer.d_v, "d-k and d-v must be the same");
  require(transformer.decoder_heads == 0 && transformer.decoder_d_ff == 0,
          "decoder-heads and decoder-d-ff must be those of the encoder");
}

/// The name that the activation function has with and without a gate; "gated-gelu" is by tanh.
std::string projection_of(const model::Config& config) {
  const auto& transformer = config.transformer;
  if (transformer.feed_forward == model::FeedForwardKind::kPlain)
    return std::string(hugging_face_activation(transformer.activation));
  if (transformer.activation == nn::Activation::kGeluTanh) return "gated-gelu";
  return base::concat("gated-", hugging_face_activation(transformer.activation));
}

/// The token for padding, which a model does not read.
std::uint32_t padding_of(const ConvertedModel& model) {
  for (const char* name : {"<pad>", "<s>"}) {
    if (const auto id = model.vocabulary->find(name)) return *id;
  }
  return model.config.start_id;
}

/// The members of both files.
base::JsonObject generation_settings(const ConvertedModel& model) {
  const auto& config = model.config;
  base::JsonObject object(base::kObjectOfLines);
  object.count("decoder_start_token_id", config.start_id);
  object.count("eos_token_id", model.vocabulary->end_of_sentence());
  // Without a maximum, transformers stop after 20 tokens.
  add_search(object, {.start_tokens = 1, .tokens_around = 1, .max_length = 512, .num_beams = "1"},
             model.search);
  return object.count("pad_token_id", padding_of(model));
}

std::string settings(const ConvertedModel& model) {
  const auto& config = model.config;
  const auto& transformer = config.transformer;
  const bool is_gated = transformer.feed_forward == model::FeedForwardKind::kGated;
  auto object = generation_settings(model);
  object.value("architectures", "[\"T5ForConditionalGeneration\"]");
  object.count("d_ff", transformer.d_ff).count("d_kv", transformer.d_k);
  object.count("d_model", config.d_model);
  object.text("dense_act_fn", hugging_face_activation(transformer.activation));
  object.number("dropout_rate", config.dropout).text("feed_forward_proj", projection_of(config));
  object.flag("is_encoder_decoder", true).flag("is_gated_act", is_gated);
  object.number("layer_norm_epsilon", transformer.norm_epsilon).text("model_type", "t5");
  object.count("num_decoder_layers", config.decoder_layers).count("num_heads", transformer.heads);
  object.count("num_layers", config.encoder_layers);
  object.count("relative_attention_max_distance", transformer.relative_max_distance);
  object.count("relative_attention_num_buckets", transformer.relative_buckets);
  object.flag("tie_word_embeddings", is_tied(config));
  return object.count("vocab_size", config.vocabulary).str() + "\n";
}

/// Whether a token line cannot contain the token of an id, or the id has none.
bool is_placeholder(std::string_view piece) {
  return piece.starts_with("<id:");
}

/// Throws Error unless the first ids are those of the SentencePiece model.
void require_ids_of_model(const text::Vocabulary& vocabulary) {
  const auto& content = vocabulary.content();
  if (content.model.empty())
    base::fail("the vocabulary has no SentencePiece model, which Hugging Face needs");
  const text::SentencePieceModel model(content.model, "the vocabulary's model");
  for (std::uint32_t id = 0; id < model.size(); ++id) {
    const bool is_same = id < vocabulary.size() && (vocabulary.piece(id) == model.piece(id) ||
                                                    is_placeholder(vocabulary.piece(id)));
    if (!is_same)
      base::fail("id ", id, " must be '", model.piece(id), "' for the tokenizer of Hugging Face");
  }
}

/// The tokens after those of the SentencePiece model, except ids without a token.
std::string added_tokens(const text::Vocabulary& vocabulary) {
  const text::SentencePieceModel model(vocabulary.content().model, "the vocabulary's model");
  base::JsonObject ids(base::kObjectOfLines);
  for (std::uint32_t id = model.size(); id < vocabulary.size(); ++id) {
    const auto piece = vocabulary.piece(id);
    if (!is_placeholder(piece)) ids.count(piece, id);
  }
  return ids.str() + "\n";
}

std::string tokenizer_settings(const ConvertedModel& model) {
  const auto& vocabulary = *model.vocabulary;
  base::JsonObject object(base::kObjectOfLines);
  object.flag("clean_up_tokenization_spaces", false);
  object.text("eos_token", vocabulary.piece(vocabulary.end_of_sentence())).count("extra_ids", 0);
  object.flag("legacy", false).text("pad_token", vocabulary.piece(padding_of(model)));
  object.text("tokenizer_class", "T5Tokenizer");
  return object.text("unk_token", vocabulary.piece(vocabulary.unknown())).str() + "\n";
}

/// A file of safetensors.
void write_weights(const std::string& path, const ConvertedModel& model) {
  std::vector<store::StreamedArray> arrays;
  for (const auto& weight : model::transformer_weights(model.config)) {
    arrays.push_back(streamed(model, weight, t5_location(model.config, weight)));
    const std::uint64_t buckets = model.config.transformer.relative_buckets;
    if (weight.columns == 1)
      arrays.back().shape = {buckets, weight.rows / buckets};
    else if (weight.rows == 1)
      arrays.back().shape = {weight.columns};
  }
  // Without this member, transformers do not read the file.
  store::write_arrays(path, arrays, {{"format", "pt"}});
}

}  // namespace

bool is_t5(const model::Config& config) {
  return model::has_relative_positions(config);
}

void write_t5(const std::string& directory, const ConvertedModel& model) {
  require_t5(model);
  require_ids_of_model(*model.vocabulary);
  base::OutputDirectory output(directory, kHuggingFaceFiles);
  output.write("config.json", settings(model));
  output.write("generation_config.json", generation_settings(model).str() + "\n");
  output.write("added_tokens.json", added_tokens(*model.vocabulary));
  output.write("tokenizer_config.json", tokenizer_settings(model));
  output.write("spiece.model", model.vocabulary->content().model);
  output.write_by("model.safetensors",
                  [&](const std::string& path) { write_weights(path, model); });
  output.commit();
}

}  // namespace awend::interchange
