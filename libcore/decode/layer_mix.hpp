// The vector of a text as a weighted sum over the embeddings and the outputs of all layers, as in
// COMET (Rei et al., 2020).
//
// Test: tests/unit/decode/layer_mix_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace awend::decode {

struct LayerMix {
  std::vector<float> weights = {};  ///< Of the embeddings, and of each layer.
  enum class Pooling { kMean, kFirst } pooling = Pooling::kMean;
  /// Whether all numbers of a text are normalized in each layer, without gain and bias.
  enum class Norm { kNone, kText } norm = Norm::kNone;
  /// A token that is left out of the sum of a mean, but is counted.
  std::optional<std::uint32_t> padding = {};
};

/// The outputs of a layer for the tokens of a text, (tokens, columns).
struct WeightedLayer {
  float weight;
  std::span<const float> values;
};

/// Requires: there is a layer and a token, and all layers are equally wide.
std::vector<float> mixed_vector(const LayerMix& mix, std::span<const WeightedLayer> layers,
                                std::span<const std::uint32_t> ids);

}  // namespace awend::decode
