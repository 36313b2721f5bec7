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
  /// The settings of the decoder's layers.
  const Config& decoder_config() const { return decoder_config_; }
  const nn::Parameter& projection() const { return projection_; }
  const std::optional<nn::Parameter>& output_bias() const { return output_bias_; }
  nn::OutputLayer output_layer() const {
    return {
        .table = projection_, .bias = output_bias_, .masked_ids = config_.transformer.masked_ids};
  }
  bool is_table(const nn::Parameter& parameter) const;

  /// The encoder's output, (source rows, d_model).  Positions are below the capacity of the ids'
  /// rows.
  nn::Tensor encode(nn::Graph& graph, const nn::EmbeddingInputs& inputs,
                    const nn::AttentionRanges& ranges) const;
  /// The decoder's output before the projection to the vocabulary, (target rows, d_model).
  /// Positions are below `max_positions`; `inputs_of` gives those of each layer.
  nn::Tensor decode(nn::Graph& graph, const nn::EmbeddingInputs& inputs,
                    std::uint32_t max_positions,
                    const std::function<DecoderLayerInputs(std::uint32_t layer)>& inputs_of) const;
  const std::vector<DecoderLayer>& decoder_layers() const { return decoder_; }

 private:
  /// Embeddings, and what differs between the sides.
  struct Side {
    nn::Parameter embedding;
    std::optional<nn::Parameter> positions;   // learned or stored
    std::optional<nn::Parameter> relative;    // (buckets · heads, 1)
    std::optional<LayerNormParameters> norm;  // of the embeddings
    std::optional<LayerNormParameters> final_norm;
  };
  nn::PositionTable position_table(nn::Graph& graph, const Side& side,
                                   std::uint32_t max_positions) const;
  nn::Tensor embed(nn::Graph& graph, const nn::EmbeddingInputs& inputs, const Side& side,
                   std::uint32_t max_positions) const;
  std::optional<nn::RelativeBias> relative_bias(nn::Graph& graph, const Side& side) const;
  void declare_embeddings(nn::Parameters& parameters);
  void declare_relative_positions(nn::Parameters& parameters);
  void declare_positions(nn::Parameters& parameters);
  void declare_norms(nn::Parameters& parameters);

  Config config_;
  Config decoder_config_;
  Side source_;
  Side target_;
  nn::Parameter projection_;
  std::optional<nn::Parameter> output_bias_;  // (vocabulary, 1)
  std::vector<EncoderLayer> encoder_;
  std::vector<DecoderLayer> decoder_;
};

}  // namespace awend::model
