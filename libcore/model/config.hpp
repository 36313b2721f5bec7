// The settings of a model: what several architectures have, and a struct for each.  A name in the
// text form of checkpoints may mean members of several structs, such as "tie".
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/field.hpp"
#include "model/bert/bert_config.hpp"
#include "model/memory/memory_config.hpp"
#include "model/rnn/rnn_config.hpp"
#include "model/transformer/transformer_config.hpp"
#include "store/stored_settings.hpp"

namespace awend::model {

/// What the decoder reads before the first token: a vector of zeros, or the embedding of a token.
enum class DecoderStart { kZero, kToken };

struct Config {
  std::string architecture = "transformer";  ///< See model/architectures.hpp.
  std::uint32_t vocabulary = 0;              ///< Number of ids.
  std::uint32_t source_vocabulary = 0;       ///< Ids of the source; 0: as `vocabulary`.
  std::uint32_t d_model = 512;
  std::uint32_t encoder_layers = 6;
  std::uint32_t decoder_layers = 6;
  double dropout = 0.1;
  double label_smoothing = 0.1;
  /// The most tokens of a side; with computed sinusoids or relative positions, there is no limit.
  std::uint32_t max_positions = 1024;
  DecoderStart decoder_start = DecoderStart::kZero;
  std::uint32_t start_id = 1;  ///< With DecoderStart::kToken.

  TransformerConfig transformer;  ///< Of BERT, too.
  RnnConfig rnn;
  MemoryConfig memory;
  BertConfig bert;
};

/// What the lines of a training corpus are.
enum class TextKind {
  kPairs,    ///< A source and its translation.
  kRunning,  ///< Sentences in the order of a text, without targets.
  kLabeled,  ///< A source, and labels of it.
  kSpans,    ///< A question and a passage, and the tokens of the passage that are the answer.
};
TextKind text_kind_of(const Config& config);

/// The settings of the decoder's layers: `config` with the decoder's heads, d_k, d_v and d_ff.  All
/// heads together are as wide as those of the encoder.  Throws Error if they do not divide that.
Config decoder_side(const Config& config);
/// Whether source lines are stories (see model/memory/story.hpp).
bool reads_stories(const Config& config);
/// The number of layers; each has parameters of its own.
std::uint64_t layers_of(const Config& config);
/// The number of ids of the source.
inline std::uint32_t source_vocabulary_of(const Config& config) {
  return config.source_vocabulary == 0 ? config.vocabulary : config.source_vocabulary;
}
/// The columns of the output of a recurrent network, without those of biases.
inline std::uint32_t readout_columns(const Config& config) {
  return config.rnn.d_readout == 0 ? config.d_model : config.rnn.d_readout;
}
/// Whether the output of a recurrent network is more than the state of the top layer.
inline bool has_readout(const Config& config) {
  return config.rnn.attention != RnnAttention::kNone || config.rnn.context_feeding == Switch::kOn;
}
/// The tying of an architecture that has such a setting.
Tie tie_of(const Config& config);
/// The token that the decoder reads before the first one, or nullopt: a vector of zeros.
inline std::optional<std::uint32_t> start_token_of(const Config& config) {
  if (config.decoder_start == DecoderStart::kZero) return std::nullopt;
  return config.start_id;
}
/// Whether SSRUs replace the self-attention of a Transformer's decoder.
inline bool has_ssru(const Config& config) {
  return config.transformer.autoregressive_layer == AutoregressiveLayer::kSsru;
}
/// Whether positions are rows of a table of `max_positions` rows.
inline bool has_position_table(const Config& config) {
  return config.transformer.positions == Positions::kLearned ||
         config.transformer.positions == Positions::kStored;
}
/// Whether positions are biases of the scores of self-attention.
inline bool has_relative_positions(const Config& config) {
  return config.transformer.positions == Positions::kRelative;
}

/// Describes all settings of all architectures: their names, help texts, and the values that they
/// accept.
std::span<const base::Field<Config>> config_fields();
/// Those that an architecture has.  Unknown architectures have those of a Transformer.
std::span<const base::Field<Config>> config_fields(std::string_view architecture);
/// Whether the architecture has a setting of this name.
bool has_setting(const Config& config, std::string_view name);

/// d_model / heads, d_k and d_v in the paper.  Throws Error if heads does not divide d_model.
std::uint32_t head_size(std::uint32_t d_model, std::uint32_t heads);

struct PresetName {
  std::string_view text;
  std::string_view architecture;
};
inline constexpr PresetName kPresets[] = {
    {"base", "transformer"},    {"big", "transformer"}, {"small", "transformer"},
    {"tiny", "transformer"},    {"cho", "rnn"},         {"sutskever", "rnn"},
    {"bahdanau", "rnn"},        {"luong", "rnn"},       {"gnmt", "rnn"},
    {"rnn-small", "rnn"},       {"rnn-tiny", "rnn"},    {"memory-3hop", "memory"},
    {"memory-joint", "memory"}, {"bert-base", "bert"},  {"bert-tiny", "bert"}};

std::vector<std::string_view> preset_names(std::string_view architecture);

/// The settings of one of kPresets.  Throws Error for another name.  `vocabulary` is 0.
Config preset(std::string_view name);
/// The preset of an architecture when none is named.
std::string_view default_preset(std::string_view architecture);

/// Throws Error unless the settings of the architecture agree with each other.
void require_consistent(const Config& config);
/// The same, and throws Error "NAME must be …, got …" for the first setting with a value that it
/// does not accept.
void validate(const Config& config);

/// Converts to and from the text form in a checkpoint, with a name for each setting: "d-model", …
store::Settings to_settings(const Config& config);
/// Throws Error that names `file` and the setting that is missing or invalid.
Config from_settings(const store::Settings& settings, const std::string& file);

}  // namespace awend::model
