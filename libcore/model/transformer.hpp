// The Transformer, section 3 of the paper, written forward only; nn derives the backward pass.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/config.hpp"
#include "model/inputs.hpp"
#include "model/layers.hpp"
#include "nn/graph.hpp"
#include "nn/operations.hpp"

namespace awend::model {

struct EncoderLayer {
  AttentionWeights self;
  LayerNormParameters self_norm;
  FeedForward feed_forward;
  LayerNormParameters feed_forward_norm;
};

struct DecoderLayer {
  AttentionWeights self;
  LayerNormParameters self_norm;
  AttentionWeights cross;
  LayerNormParameters cross_norm;
  FeedForward feed_forward;
  LayerNormParameters feed_forward_norm;
};

class Transformer {
 public:
  /// Declares the parameters, by name ("encoder.0.self.query", …).  Throws Error if the settings
  /// cannot be.
  Transformer(const Config& config, nn::Parameters& parameters);

  const Config& config() const { return config_; }
  const std::vector<DecoderLayer>& decoder_layers() const { return decoder_; }
  const std::optional<LayerNormParameters>& decoder_norm() const { return decoder_norm_; }
  /// The matrix whose product with a decoder output gives logits, (vocabulary, d_model).
  const nn::Parameter& projection() const { return projection_; }
  /// Whether the rows of a parameter are pieces of the vocabulary.
  bool is_table(const nn::Parameter& parameter) const;

  /// The encoder's output, (source rows, d_model).
  nn::Tensor encode(nn::Graph& graph, const SourceInputs& inputs) const;
  /// Embedded decoder inputs, (target rows, d_model).  Positions are below `longest`.
  nn::Tensor embed_target(nn::Graph& graph, const nn::EmbeddingInputs& inputs,
                          std::uint32_t longest) const;
  /// The decoder's output before the projection to the vocabulary, (target rows, d_model).
  nn::Tensor decode(nn::Graph& graph, const TargetInputs& inputs, const nn::Tensor& memory) const;
  /// Loss of the whole model on a batch; in training, derive_backward() comes next.
  nn::ChunkedLoss loss(nn::Graph& graph, const BatchInputs& inputs) const;
  /// The same, with the losses of single tokens for the host.
  nn::ChunkedLoss token_losses(nn::Graph& graph, const BatchInputs& inputs) const;

 private:
  nn::LossInputs loss_inputs(const BatchInputs& inputs) const;
  nn::PositionTable position_table(nn::Graph& graph, const std::optional<nn::Parameter>& learned,
                                   std::uint32_t longest) const;

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

/// PE(position, 2i) = sin(position / 10000^(2i / columns)), PE(position, 2i + 1) the cosine of the
/// same; (rows, columns).
std::vector<float> sinusoids(std::uint32_t rows, std::uint32_t columns);

}  // namespace awend::model
