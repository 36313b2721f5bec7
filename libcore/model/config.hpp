// The settings of a model, by the paper's names (section 3, Table 3).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/field.hpp"
#include "nn/activation.hpp"
#include "nn/recurrent/cell_kind.hpp"
#include "store/settings.hpp"

namespace awend::model {

enum class Positions { kSinusoid, kLearned };
enum class Norm { kPost, kPre };
/// Which of source embedding, target embedding and output projection are one matrix.
enum class Tie { kAll, kDecoder, kNone };

enum class Switch { kOff, kOn };
/// Which encoder layers also read the sentence backward.
enum class Bidirectional { kNone, kFirst, kAll };
/// kAdditive attends before the first decoder layer (Bahdanau et al., 2015), kDot and kGeneral
/// after the last one (Luong et al., 2015).
enum class RnnAttention { kNone, kAdditive, kDot, kGeneral };
/// The first states of the decoder: tanh of a linear map of the last states of the top encoder
/// layer, or the last states of the encoder layer of the same depth.
enum class Bridge { kDense, kCopy };

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
  std::int32_t start_id = -1;  ///< The input before the first token; -1: the zero vector.
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
  /// Rows of the learned position table; sinusoids need none.  Of a recurrent network, the tokens
  /// of the longest sentence.
  std::uint32_t longest = 1024;
  RnnConfig rnn;
};

/// Describes all settings of all architectures: their names, help texts, and the values that they
/// accept.
std::span<const base::Field<Config>> config_fields();
/// Those that an architecture has.  Unknown architectures have those of a Transformer.
std::span<const base::Field<Config>> config_fields(std::string_view architecture);

/// d_model / heads, d_k and d_v in the paper.  Throws Error if heads does not divide d_model.
std::uint32_t head_size(std::uint32_t d_model, std::uint32_t heads);

/// A Transformer: base, big, small or tiny; a recurrent network: sutskever, bahdanau, luong, gnmt,
/// rnn-small or rnn-tiny.  Throws Error for another name.  `vocabulary` is 0.
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
