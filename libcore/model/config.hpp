// The settings of a model, by the paper's names (section 3, Table 3).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "store/settings.hpp"

namespace awend::model {

enum class Positions { kSinusoid, kLearned };
enum class Norm { kPost, kPre };
/// Which of source embedding, target embedding and output projection are one matrix.
enum class Tie { kAll, kDecoder, kNone };
/// Of the feed-forward network; the paper's is the ReLU.
enum class Activation { kRelu, kGelu, kSwish };

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
  Activation activation = Activation::kRelu;
  std::uint32_t longest =
      1024;  ///< Rows of the table of learned positions; sinusoids go on for ever.
};

/// From "sinusoid", "post", "all" and so on; Error lists what there is.
Positions parse_positions(std::string_view text);
Norm parse_norm(std::string_view text);
Tie parse_tie(std::string_view text);
Activation parse_activation(std::string_view text);

/// d_model / heads, the paper's d_k and d_v; Error if heads do not divide d_model.
std::uint32_t head_size(std::uint32_t d_model, std::uint32_t heads);

/// base, big, small or tiny; Error if there is no such preset.  `vocabulary` stays 0.
Config preset(std::string_view name);

/// Throws Error naming the setting if a model cannot have these (heads that do not divide, a size
/// of 0, …).
void validate(const Config& config);

/// To and from the text form that a checkpoint carries, one setting a name: "d-model", "heads", …
store::Settings to_settings(const Config& config);
/// Throws Error naming `file` and the setting that is missing or wrong.
Config from_settings(const store::Settings& settings, const std::string& file);

}  // namespace awend::model
