// The settings of a model, by the paper's names (section 3, Table 3).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/field.hpp"
#include "model/sinusoids.hpp"
#include "nn/activation.hpp"
#include "nn/operation_settings.hpp"
#include "nn/recurrent/cell_kind.hpp"
#include "store/stored_settings.hpp"

namespace awend::model {

/// Sinusoids are computed; a stored table has any values and is not trained.
enum class Positions { kSinusoid, kLearned, kStored };
enum class Norm { kPost, kPre };
/// Which of source embedding, target embedding and output projection are one matrix.
enum class Tie { kAll, kDecoder, kEmbeddings, kNone };
inline constexpr base::Word<Tie> kTieWords[] = {{Tie::kAll, "all"},
                                                {Tie::kDecoder, "decoder"},
                                                {Tie::kEmbeddings, "embeddings"},
                                                {Tie::kNone, "none"}};
enum class Switch { kOff, kOn };
inline constexpr base::Word<Switch> kSwitchWords[] = {{Switch::kOff, "off"}, {Switch::kOn, "on"}};
/// Which stacks of layers end in a layer normalization; kAuto: both with pre-norm, otherwise none.
enum class FinalNorm { kAuto, kNone, kEncoder, kDecoder, kBoth };
/// What the decoder reads before the first token: a vector of zeros, or the embedding of a token.
enum class DecoderStart { kZero, kToken };
/// How a decoder layer reads the tokens before each one: by masked self-attention, or by a simpler
/// simple recurrent unit (Kim et al., 2019).
enum class AutoregressiveLayer { kSelfAttention, kSsru };

/// Which encoder layers also read the sentence backward.
enum class Bidirectional { kNone, kFirst, kAll };
/// kAdditive attends before the first decoder layer (Bahdanau et al., 2015), kDot and kGeneral
/// after the last one (Luong et al., 2015).
enum class RnnAttention { kNone, kAdditive, kDot, kGeneral };
/// The first states of the decoder: tanh of a linear map of the last states of the top encoder
/// layer, or of the mean of the encoder's outputs; or the last states of the encoder layer of the
/// same depth.
enum class Bridge { kDense, kCopy, kMean };

/// The settings of a recurrent encoder-decoder; d_model is the size of the states.
struct RnnConfig {
  nn::Cell cell = nn::Cell::kGru;
  std::uint32_t d_embedding = 512;
  std::uint32_t d_attention = 512;  ///< Of additive attention.
  Bidirectional bidirectional = Bidirectional::kAll;
  RnnAttention attention = RnnAttention::kAdditive;
  Switch input_feeding = Switch::kOff;
  Switch residual = Switch::kOff;
  Bridge bridge = Bridge::kDense;
  Switch variational_dropout = Switch::kOff;

  // What differs in other toolkits; checkpoints omit the defaults.
  Switch conditional_cell = Switch::kOff;  ///< A second cell, after attention.
  std::uint32_t d_readout = 0;             ///< Of the output with attention; 0: as `d_model`.
  Tie tie = Tie::kNone;                    ///< In place of Config::tie.
};

/// Which embeddings the hops of a memory network share (Sukhbaatar et al., 2015, section 2.2).
enum class HopTying { kAdjacent, kLayerWise };

/// The settings of an end-to-end memory network; d_model is the size of its embeddings.
struct MemoryConfig {
  std::uint32_t hops = 3;
  HopTying tying = HopTying::kAdjacent;
  nn::BagWeights encoding = nn::BagWeights::kPosition;
  Switch temporal_encoding = Switch::kOn;
  std::uint32_t size = 50;  ///< Sentences of a story; older ones are ignored.
  double noise = 0.1;       ///< Probability of an empty memory after each sentence in training.
  std::uint32_t linear_start = 0;  ///< Updates without softmax at the start of training.
  /// The tokens that end sentences and questions, and their ids, which resolve_tokens() sets.
  std::string sentence_end = ".", question_end = "?";
  std::uint32_t sentence_end_id = 0xFFFFFFFF, question_end_id = 0xFFFFFFFF;
};

/// What a model for given text is trained for: masked tokens, one label for a line, or a label for
/// each token.
enum class Task { kPretrain, kClassify, kTag };

/// The settings of BERT.
struct BertConfig {
  Task task = Task::kPretrain;
  Switch next_sentence = Switch::kOn;  ///< In pre-training, whether segments are pairs.
  double mask_rate = 0.15;
  Switch whole_words = Switch::kOff;  ///< Whether all tokens of a word are masked together.
  std::vector<std::string> labels;    ///< Of kClassify and kTag, in order of their ids.
};

struct Config {
  std::string architecture = "transformer";  ///< See model/architectures.hpp.
  std::uint32_t vocabulary = 0;              ///< Number of ids.
  std::uint32_t d_model = 512;
  std::uint32_t d_ff = 2048;
  std::uint32_t heads = 8;
  std::uint32_t d_k = 64;
  std::uint32_t d_v = 64;
  std::uint32_t encoder_layers = 6;
  std::uint32_t decoder_layers = 6;
  double dropout = 0.1;
  double attention_dropout = 0;
  double relu_dropout = 0;
  double label_smoothing = 0.1;
  Positions positions = Positions::kSinusoid;
  Norm norm = Norm::kPost;
  Tie tie = Tie::kAll;
  /// Of the feed-forward network: kRelu as in the paper, kGelu or kSwish.
  nn::Activation activation = nn::Activation::kRelu;
  /// Rows of a position table; computed sinusoids need none.  Of a recurrent network, the tokens of
  /// the longest sentence.
  std::uint32_t longest = 1024;

  // What differs between toolkits.  The defaults are the paper's; checkpoints omit them.
  Switch attention_bias = Switch::kOff;  ///< Biases of the projections of attention.
  Switch output_bias = Switch::kOff;     ///< Bias of the output projection.
  nn::EmbeddingScale embedding_scale = nn::EmbeddingScale::kRootOfColumns;
  Switch embedding_norm = Switch::kOff;  ///< Layer normalization of the sum with the positions.
  FinalNorm final_norm = FinalNorm::kAuto;
  double norm_epsilon = 1e-6;
  SinusoidLayout sinusoid_layout = SinusoidLayout::kInterleaved;
  std::uint32_t first_position = 0;  ///< Of sinusoids.
  DecoderStart decoder_start = DecoderStart::kZero;
  std::uint32_t start_id = 1;             ///< With DecoderStart::kToken.
  Switch source_end = Switch::kOn;        ///< Whether attention includes the source's end.
  std::vector<std::uint32_t> masked_ids;  ///< Tokens with the probability 0.
  std::uint32_t source_vocabulary = 0;    ///< Ids of the source; 0: as `vocabulary`.
  std::uint32_t decoder_heads = 0;        ///< 0: as `heads`.
  std::uint32_t decoder_d_ff = 0;         ///< 0: as `d_ff`.
  AutoregressiveLayer autoregressive_layer = AutoregressiveLayer::kSelfAttention;
  Switch ssru_projection = Switch::kOff;  ///< With AutoregressiveLayer::kSsru.

  RnnConfig rnn;
  MemoryConfig memory;
  BertConfig bert;
};

/// What the lines of a training corpus are.
enum class TextKind {
  kPairs,    ///< A source and its translation.
  kRunning,  ///< Sentences in the order of a text, without targets.
  kLabeled,  ///< A source, and labels of it.
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
/// Whether the output projection is the table of target embeddings.
inline bool ties_projection(Tie tie) {
  return tie == Tie::kAll || tie == Tie::kDecoder;
}
/// Whether source and target have one table of embeddings.
inline bool ties_embeddings(Tie tie) {
  return tie == Tie::kAll || tie == Tie::kEmbeddings;
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
  return config.autoregressive_layer == AutoregressiveLayer::kSsru;
}
/// Whether positions are rows of a table of `longest` rows.
inline bool has_position_table(const Config& config) {
  return config.positions != Positions::kSinusoid;
}

/// Describes all settings of all architectures: their names, help texts, and the values that they
/// accept.
std::span<const base::Field<Config>> config_fields();
/// Those that an architecture has.  Unknown architectures have those of a Transformer.
std::span<const base::Field<Config>> config_fields(std::string_view architecture);

/// d_model / heads, d_k and d_v in the paper.  Throws Error if heads does not divide d_model.
std::uint32_t head_size(std::uint32_t d_model, std::uint32_t heads);

/// A Transformer: base, big, small or tiny; a recurrent network: sutskever, bahdanau, luong, gnmt,
/// rnn-small or rnn-tiny; a memory network: memory-3hop or memory-joint; BERT: bert-base or
/// bert-tiny.  Throws Error for another name.  `vocabulary` is 0.
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
