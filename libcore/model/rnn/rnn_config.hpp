// The settings of a recurrent encoder-decoder that other architectures do not have.
#pragma once

#include <cstdint>

#include "model/setting_words.hpp"
#include "nn/recurrent/cell_kind.hpp"

namespace awend::model {

/// Which encoder layers also read the sentence backward.
enum class Bidirectional { kNone, kFirst, kAll };
/// kAdditive attends before the first decoder layer (Bahdanau et al., 2015), kDot and kGeneral
/// after the last one (Luong et al., 2015).
enum class RnnAttention { kNone, kAdditive, kDot, kGeneral };
/// The first states of the decoder: tanh of a linear map of the last states of the top encoder
/// layer, of its direction from the last token to the first, or of the mean of the encoder's
/// outputs; or the last states of the encoder layer of the same depth.
enum class Bridge { kDense, kReverse, kCopy, kMean };
/// Which tokens of the source attention reaches: all; those near the position of the target token;
/// or those near a predicted position (local-m and local-p of Luong et al., 2015).
enum class AttentionSpan { kGlobal, kMonotonic, kPredictive };
/// In which order the encoder reads the source; its end is last in both.
enum class SourceOrder { kForward, kReversed };
/// The last function before the projection, if the output is not the state of the top layer.
enum class Readout { kTanh, kMaxout };

/// Config::d_model is the size of the states.
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

  // What differs in other papers and toolkits; checkpoints omit the defaults.
  /// A summary of the source is an input of each step and of the output (Cho et al., 2014).
  Switch context_feeding = Switch::kOff;
  AttentionSpan attention_span = AttentionSpan::kGlobal;
  std::uint32_t local_window = 10;  ///< Tokens on each side of the position.
  Readout readout = Readout::kTanh;
  SourceOrder source_order = SourceOrder::kForward;
  Switch conditional_cell = Switch::kOff;  ///< A second cell, after attention.
  std::uint32_t d_readout = 0;             ///< Of the output, see has_readout(); 0: as `d_model`.
  Tie tie = Tie::kNone;
};

}  // namespace awend::model
