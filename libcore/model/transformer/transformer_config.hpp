// The settings of a Transformer that other architectures do not have, by the paper's names (section
// 3, Table 3).  BERT has those of its encoder.
#pragma once

#include <cstdint>
#include <vector>

#include "model/setting_words.hpp"
#include "model/sinusoids.hpp"
#include "nn/activation.hpp"
#include "nn/operation_settings.hpp"

namespace awend::model {

/// Sinusoids are computed; a stored table has any values and is not trained; relative positions are
/// biases of the scores of self-attention, by buckets of distances, as in T5 (Raffel et al., 2020).
enum class Positions { kSinusoid, kLearned, kStored, kRelative };
enum class Norm { kPost, kPre };
/// Layer normalization, or RMS normalization without bias (Zhang and Sennrich, 2019).
enum class NormKind { kLayer, kRms };
/// f(x W1) W2, or (f(x Wg) · x W1) W2 (Shazeer, 2020: ReGLU, GEGLU and SwiGLU, by f).
enum class FeedForwardKind { kPlain, kGated };
/// The factor of the scores of attention.
enum class AttentionScale { kInverseRootOfKeys, kOne };
/// The factor of the decoder's output before its projection.
enum class OutputScale { kOne, kInverseRootOfColumns };
/// Which stacks of layers end in a layer normalization; kAuto: both with pre-norm, otherwise none.
enum class FinalNorm { kAuto, kNone, kEncoder, kDecoder, kBoth };
/// How a decoder layer reads the tokens before each one: by masked self-attention, or by a simpler
/// simple recurrent unit (Kim et al., 2019).
enum class AutoregressiveLayer { kSelfAttention, kSsru };

struct TransformerConfig {
  std::uint32_t d_ff = 2048;
  std::uint32_t heads = 8;
  std::uint32_t d_k = 64;
  std::uint32_t d_v = 64;
  double attention_dropout = 0;
  double relu_dropout = 0;
  Positions positions = Positions::kSinusoid;
  Norm norm = Norm::kPost;
  Tie tie = Tie::kAll;
  /// Of the feed-forward network: kRelu as in the paper, kGelu and its approximations, or kSwish.
  nn::Activation activation = nn::Activation::kRelu;

  // What differs between toolkits.  The defaults are the paper's; checkpoints omit them.
  Switch attention_bias = Switch::kOff;  ///< Biases of the projections of attention.
  Switch output_bias = Switch::kOff;     ///< Bias of the output projection.
  nn::EmbeddingScale embedding_scale = nn::EmbeddingScale::kRootOfColumns;
  Switch embedding_norm = Switch::kOff;  ///< Layer normalization of the sum with the positions.
  FinalNorm final_norm = FinalNorm::kAuto;
  double norm_epsilon = 1e-6;
  SinusoidLayout sinusoid_layout = SinusoidLayout::kInterleaved;
  std::uint32_t first_position = 0;       ///< Of sinusoids.
  Switch source_end = Switch::kOn;        ///< Whether attention includes the source's end.
  std::vector<std::uint32_t> masked_ids;  ///< Tokens with the probability 0.
  std::uint32_t decoder_heads = 0;        ///< 0: as `heads`.
  std::uint32_t decoder_d_ff = 0;         ///< 0: as `d_ff`.
  AutoregressiveLayer autoregressive_layer = AutoregressiveLayer::kSelfAttention;
  Switch ssru_projection = Switch::kOff;  ///< With AutoregressiveLayer::kSsru.
  /// Restricted self-attention (section 4): the positions on each side of its own to which a row
  /// attends, so that the paper's r is 2 attention_window + 1.  0: all.
  std::uint32_t attention_window = 0;
  NormKind norm_kind = NormKind::kLayer;
  FeedForwardKind feed_forward = FeedForwardKind::kPlain;
  Switch feed_forward_bias = Switch::kOn;  ///< Biases of the feed-forward network.
  AttentionScale attention_scale = AttentionScale::kInverseRootOfKeys;
  OutputScale output_scale = OutputScale::kOne;
  std::uint32_t relative_buckets = 32;        ///< With Positions::kRelative.
  std::uint32_t relative_max_distance = 128;  ///< From which on all distances have one bucket.
  /// The decoder layer, from 1, whose attention to the source is trained towards word alignments in
  /// its first head (Chen et al., 2016); 0: none.
  std::uint32_t guided_alignment_layer = 0;
};

}  // namespace awend::model
