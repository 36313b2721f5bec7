// The settings of an end-to-end memory network that other architectures do not have.
#pragma once

#include <cstdint>
#include <string>

#include "model/setting_words.hpp"
#include "nn/operation_settings.hpp"

namespace awend::model {

/// Which embeddings the hops of a memory network share (Sukhbaatar et al., 2015, section 2.2).
enum class HopTying { kAdjacent, kLayerWise };

/// Config::d_model is the size of the embeddings.
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

}  // namespace awend::model
