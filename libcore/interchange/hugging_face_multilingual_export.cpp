// Writes M2M100, NLLB-200 and mBART-50 for transformers of Hugging Face.
#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/output_directory.hpp"
#include "interchange/hugging_face_files.hpp"
#include "interchange/hugging_face_languages.hpp"
#include "interchange/hugging_face_multilingual.hpp"
#include "interchange/hugging_face_weights.hpp"
#include "interchange/transformer_settings.hpp"
#include "model/sinusoids.hpp"
#include "model/weight_layout.hpp"

namespace awend::interchange {
namespace {

using model::Switch;

// As transformers have them: the first position, and the rows of tables that are not used.
constexpr std::uint32_t kFirstPosition = 2;
// The largest difference of sinusoids that two programs compute in float32.
constexpr float kSinusoidTolerance = 1e-4f;
// The start token and the language.
constexpr std::uint32_t kStartTokens = 2;

bool is_mbart(const model::Config& config) {
  return config.transformer.embedding_norm == Switch::kOn;
}

/// Whether positions are the sinusoids that M2M100 computes; another toolkit may have stored them.
bool has_sinusoids(const ConvertedModel& model) {
  const auto& config = model.config;
  const auto& transformer = config.transformer;
  if (transformer.positions == model::Positions::kSinusoid) {
    return transformer.sinusoid_layout == model::SinusoidLayout::kHalvesMinusOne &&
           transformer.first_position == kFirstPosition;
  }
  const auto expected = model::sinusoids({.rows = config.max_positions,
                                          .columns = config.d_model,
                                          .layout = model::SinusoidLayout::kHalvesMinusOne,
                                          .first = kFirstPosition});
  return std::ranges::all_of(
      std::initializer_list<const char*>{"source_positions", "target_positions"},
      [&](const char* name) {
        return std::ranges::equal(model.weights.at(name), expected, [](float a, float b) {
          return std::abs(a - b) < kSinusoidTolerance;
        });
      });
}

void require_multilingual(const ConvertedModel& model) {
  const auto& config = model.config;
  const auto& transformer = config.transformer;
  const std::string_view format =
      is_mbart(config) ? "mBART of Hugging Face" : "M2M100 of Hugging Face";
  const auto require = [&](bool has, std::string_view what) {
    require_setting(has, what, format, config);
  };
  require_plain_layers(config, format);
  require(!model.source_vocabulary, "source and target must have one vocabulary");
  require(!model::has_ssru(config), "autoregressive-layer must be self-attention");
  require(transformer.norm == model::Norm::kPre, "norm must be pre");
  require(model::has_final_norm(config, model::FinalNorm::kEncoder) &&
              model::has_final_norm(config, model::FinalNorm::kDecoder),
          "final-norm must be both");
  require(transformer.norm_epsilon == 1e-5, "norm-epsilon must be 1e-05");
  require(config.decoder_start == model::DecoderStart::kToken, "decoder-start must be token");
  require(transformer.source_end == Switch::kOn, "source-end must be on");
  require(transformer.masked_ids.empty(), "masked-ids must be empty");
  require(transformer.tie == model::Tie::kAll || transformer.tie == model::Tie::kEmbeddings,
          "tie must be all or embeddings");
  require(
      transformer.d_k * transformer.heads == config.d_model && transformer.d_v == transformer.d_k,
      "d-k and d-v must be d-model / heads");
  if (is_mbart(config)) {
    require(transformer.positions == model::Positions::kLearned, "positions must be learned");
    return;
  }
  require_expressible(
      transformer.positions != model::Positions::kLearned &&
          !model::has_relative_positions(config) && has_sinusoids(model),
      "positions must be sinusoids of sinusoid-layout halves-minus-one and first-position 2",
      format);
  require(transformer.output_bias == Switch::kOff, "output-bias must be off");
}

std::uint32_t padding_of(const text::Vocabulary& vocabulary) {
  const auto id = vocabulary.find("<pad>");
  if (!id) base::fail("the vocabulary has no token '<pad>', which Hugging Face needs");
  return *id;
}

/// The members of both files.
base::JsonObject generation_settings(const ConvertedModel& model) {
  const auto& config = model.config;
  const auto end = model.vocabulary->end_of_sentence();
  base::JsonObject object(base::kObjectOfLines);
  object.count("decoder_start_token_id", config.start_id).count("eos_token_id", end);
  add_search(object,
             {.start_tokens = kStartTokens,
              .tokens_around = kStartTokens,
              .max_length = 200,
              .num_beams = "5"},
             model.search);
  return object.count("pad_token_id", padding_of(*model.vocabulary));
}

base::JsonObject settings(const ConvertedModel& model) {
  const auto& config = model.config;
  const auto& transformer = config.transformer;
  const auto decoder = model::decoder_side(config);
  auto object = generation_settings(model);
  object.text("activation_function", hugging_face_activation(transformer.activation));
  object.value("architectures", is_mbart(config) ? "[\"MBartForConditionalGeneration\"]"
                                                 : "[\"M2M100ForConditionalGeneration\"]");
  object.count("d_model", config.d_model);
  object.count("decoder_attention_heads", decoder.transformer.heads);
  object.count("decoder_ffn_dim", decoder.transformer.d_ff);
  object.count("decoder_layers", config.decoder_layers);
  object.count("encoder_attention_heads", transformer.heads);
  object.count("encoder_ffn_dim", transformer.d_ff);
  object.count("encoder_layers", config.encoder_layers).flag("is_encoder_decoder", true);
  object.count("max_position_embeddings", config.max_positions);
  object.text("model_type", is_mbart(config) ? "mbart" : "m2m_100");
  if (is_mbart(config)) {
    object.flag("add_final_layer_norm", true);
    object.flag("normalize_before", true).flag("normalize_embedding", true);
  }
  object.count("num_hidden_layers", config.encoder_layers);
  object.flag("scale_embedding", transformer.embedding_scale == nn::EmbeddingScale::kRootOfColumns);
  object.flag("tie_word_embeddings", transformer.tie == model::Tie::kAll);
  return object.count("vocab_size", config.vocabulary);
}

}  // namespace

void write_hugging_face_multilingual(const std::string& directory, const ConvertedModel& model) {
  require_multilingual(model);
  const auto config = settings(model).str(), generation = generation_settings(model).str();
  const HuggingFaceLayout layout{.output_bias = is_mbart(model.config)
                                                    ? HuggingFaceLayout::OutputBias::kAlways
                                                    : HuggingFaceLayout::OutputBias::kIfAny,
                                 .unused_positions = kFirstPosition};
  base::OutputDirectory output(directory, kHuggingFaceFiles);
  write_multilingual_tokens(output, *model.vocabulary);
  output.write("config.json", config + "\n");
  output.write("generation_config.json", generation + "\n");
  output.write_by("model.safetensors", [&](const std::string& path) {
    write_hugging_face_weights(path, model, layout);
  });
  output.commit();
}

}  // namespace awend::interchange
