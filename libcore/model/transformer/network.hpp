// The network of the Transformer, section 3 of the paper, written forward only; nn derives the
// backward pass.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "model/transformer/layers.hpp"

namespace awend::model {

class TransformerNetwork {
 public:
  /// Declares the parameters, by name ("encoder.0.self.query", …).  Throws Error if the settings
  /// are invalid.
  TransformerNetwork(const Config& config, nn::Parameters& parameters);

  const Config& config() const { return config_; }
  const nn::Parameter& projection() const { return projection_; }
  bool is_table(const nn::Parameter& parameter) const;

  /// The encoder's output, (source rows, d_model).  Positions are below the capacity of the ids'
  /// rows.
  nn::Tensor encode(nn::Graph& graph, const nn::EmbeddingInputs& inputs,
                    const nn::AttentionRanges& ranges) const;
  /// The decoder's output before the projection to the vocabulary, (target rows, d_model).
  /// Positions are below `max_positions`; `key_values` gives those of each layer.
  nn::Tensor decode(nn::Graph& graph, const nn::EmbeddingInputs& inputs,
                    std::uint32_t max_positions,
                    const std::function<DecoderKeyValues(std::uint32_t layer)>& key_values) const;
  const std::vector<DecoderLayer>& decoder_layers() const { return decoder_; }

 private:
  nn::PositionTable position_table(nn::Graph& graph, const std::optional<nn::Parameter>& learned,
                                   std::uint32_t max_positions) const;

  Config config_;
  nn::Parameter source_embedding_;
  nn::Parameter target_embedding_;
  nn::Parameter projection_;
  std::optional<nn::Parameter> source_positions_;  // learned
  std::optional<nn::Parameter> target_positions_;
  std::vector<EncoderLayer> encoder_;
  std::vector<DecoderLayer> decoder_;
  std::optional<LayerNormParameters> encoder_norm_;  // pre-norm only
  std::optional<LayerNormParameters> decoder_norm_;
};

}  // namespace awend::model
