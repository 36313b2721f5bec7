#include "interchange/hugging_face_multilingual.hpp"

#include <optional>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "interchange/foreign_settings.hpp"
#include "interchange/foreign_weights.hpp"
#include "interchange/hugging_face_files.hpp"
#include "interchange/hugging_face_languages.hpp"
#include "interchange/names.hpp"
#include "interchange/transformer_settings.hpp"

namespace awend::interchange {
namespace {

using model::Switch;

// The decoder reads its start token, then the language.
constexpr std::uint32_t kStartTokens = 2;
// The first two rows of a table of positions, and the sinusoids of these positions, are not used.
constexpr std::uint32_t kFirstPosition = 2;
// The default of the class in transformers.
constexpr std::uint32_t kM2m100Start = 2;

model::Config shared_config(ForeignSettings& settings) {
  model::Config config;
  auto& transformer = config.transformer;
  settings.text("model_type");
  config.vocabulary = settings.count("vocab_size");
  read_bart_sizes(settings, config);
  transformer.activation = activation_in(settings, "activation_function");
  transformer.tie = settings.is_on("tie_word_embeddings", Default::kOn) ? model::Tie::kAll
                                                                        : model::Tie::kEmbeddings;
  transformer.attention_bias = Switch::kOn;
  transformer.norm = model::Norm::kPre;
  transformer.norm_epsilon = 1e-5;
  config.decoder_start = model::DecoderStart::kToken;
  return config;
}

// The two architectures have different defaults.
void read_embedding_scale(ForeignSettings& settings, Default otherwise, model::Config& config) {
  if (!settings.is_on("scale_embedding", otherwise))
    config.transformer.embedding_scale = nn::EmbeddingScale::kOne;
}

model::Config m2m100_config(ForeignSettings& settings) {
  settings.require("architectures", {"[\"M2M100ForConditionalGeneration\"]", "null"},
                   "another architecture");
  auto config = shared_config(settings);
  read_embedding_scale(settings, Default::kOn, config);
  config.start_id = settings.count("decoder_start_token_id", kM2m100Start);
  config.transformer.sinusoid_layout = model::SinusoidLayout::kHalvesMinusOne;
  config.transformer.first_position = kFirstPosition;
  return config;
}

model::Config mbart_config(ForeignSettings& settings) {
  settings.require("architectures", {"[\"MBartForConditionalGeneration\"]", "null"},
                   "another architecture");
  settings.require("normalize_before", {"true", "null"}, "normalization after blocks");
  settings.require("add_final_layer_norm", {"true", "null"}, "a model without final normalization");
  settings.require("normalize_embedding", {"true", "null"},
                   "a model without normalized embeddings");
  settings.require("static_position_embeddings", {"false", "null"}, "a table of sinusoids");
  auto config = shared_config(settings);
  read_embedding_scale(settings, Default::kOff, config);
  config.start_id = settings.count("decoder_start_token_id", kNoStart);
  assume_forced_end(settings);
  config.transformer.output_bias = config.transformer.embedding_norm = Switch::kOn;
  config.transformer.positions = model::Positions::kLearned;
  return config;
}

/// Reads the settings of both files.  Returns the id of the language into which the original always
/// translates, if there is one.
std::optional<std::uint32_t> read_language(ModelFiles& files,
                                           model::Config (*config_of)(ForeignSettings& settings),
                                           ConvertedModel& model) {
  std::string forced;
  const auto read_generation = [&](ForeignSettings& settings) {
    read_search(settings, kStartTokens, model);
    note_unused(settings, {.name = "bad_words_ids"}, model);
    forced = settings.text("forced_bos_token_id", forced);
  };
  const auto read_config = [&](ForeignSettings& settings) {
    model.config = config_of(settings);
    ignore_bart_settings(settings);
    settings.ignore({"pad_token_id", "save_step", "tie_encoder_decoder"});
  };
  read_settings(files, read_config, read_generation);
  return base::find_number<std::uint32_t>(forced);
}

/// Learned positions without the first rows, which are not used.
void read_positions(ForeignWeights& weights, ConvertedModel& model) {
  auto& config = model.config;
  for (const auto& [theirs, ours] :
       {std::pair("model.encoder.embed_positions.weight", "source_positions"),
        std::pair("model.decoder.embed_positions.weight", "target_positions")}) {
    const auto table = weights.rows_after(theirs, kFirstPosition, config.d_model);
    const auto rows = static_cast<std::uint32_t>(table.size() / config.d_model);
    if (model.weights.empty()) config.max_positions = rows;
    if (rows != config.max_positions)
      base::fail("array '", theirs, "' has ", rows + kFirstPosition, " rows, expected ",
                 config.max_positions + kFirstPosition);
    model.weights.emplace(ours, table);
  }
}

void read_weights(FileArrays file, ConvertedModel& model) {
  ForeignWeights weights(std::move(file.arrays));
  weights.after_reading(file.release);
  const HasArray has = [&](std::string_view array) { return weights.has(array); };
  if (model.config.transformer.positions == model::Positions::kLearned)
    read_positions(weights, model);
  weights.read_all(
      model, [&](const model::WeightShape& weight) { return hugging_face_location(weight, has); });
  // The sinusoids are computed; the rest are versions, and copies of tied matrices.
  for (const char* name :
       {"model.encoder.embed_positions.weight*", "model.decoder.embed_positions.weight*",
        "model.shared.weight", "model.encoder.embed_tokens.weight", "lm_head.weight",
        "model.decoder.embed_tokens.weight", "model.encoder.version", "model.decoder.version"})
    weights.ignore(name);
  weights.require_all_known();
}

ConvertedModel read(ModelFiles& files, const std::string& name,
                    model::Config (*config_of)(ForeignSettings& settings)) {
  ConvertedModel model;
  const auto forced = read_language(files, config_of, model);
  read_arrays(files, name, [&](FileArrays file) { read_weights(std::move(file), model); });
  // After the weights, whose size limits the number of tokens.
  const auto tokens = read_multilingual_tokens(files, model.config.vocabulary);
  model.vocabulary = vocabulary_of(tokens);
  if (forced && *forced < tokens.tokens.size()) {
    model.notes.push_back(base::concat("the original always translates into ",
                                       model.vocabulary->piece(*forced),
                                       "; here each command names the target language"));
  }
  return model;
}

}  // namespace

ConvertedModel read_m2m100(ModelFiles& files, const std::string& name) {
  return read(files, name, m2m100_config);
}

ConvertedModel read_mbart50(ModelFiles& files, const std::string& name) {
  return read(files, name, mbart_config);
}

}  // namespace awend::interchange
