// The settings of a model, by the paper's names (section 3, Table 3).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/field.hpp"
#include "nn/activation.hpp"
#include "store/settings.hpp"

namespace awend::model {

enum class Positions { kSinusoid, kLearned };
enum class Norm { kPost, kPre };
/// Which of source embedding, target embedding and output projection are one matrix.
enum class Tie { kAll, kDecoder, kNone };

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
  std::uint32_t longest = 1024;  ///< Rows of the learned position table; sinusoids need none.
};

/// Describes all settings of a model: their names, help texts, and the values that they accept.
std::span<const base::Field<Config>> config_fields();

/// d_model / heads, d_k and d_v in the paper.  Throws Error if heads does not divide d_model.
std::uint32_t head_size(std::uint32_t d_model, std::uint32_t heads);

/// base, big, small or tiny.  Throws Error for another name.  `vocabulary` is 0.
Config preset(std::string_view name);

/// Throws Error "NAME must be …, got …" for the first setting with a value that it does not accept.
void validate(const Config& config);

/// Converts to and from the text form in a checkpoint, with a name for each setting: "d-model", …
store::Settings to_settings(const Config& config);
/// Throws Error that names `file` and the setting that is missing or invalid.
Config from_settings(const store::Settings& settings, const std::string& file);

}  // namespace awend::model
