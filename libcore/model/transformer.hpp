// The Transformer, section 3 of the paper, written forward only; nn derives the backward pass.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/config.hpp"
#include "model/inputs.hpp"
#include "nn/graph.hpp"
#include "nn/operations.hpp"

namespace awend::model {

class Transformer {
 public:
  /// Declares the parameters, by name ("encoder.0.self.query", …).  Requires: a valid config.
  Transformer(const Config& config, nn::Parameters& parameters);

  const Config& config() const { return config_; }

  /// The encoder's output, (source rows, d_model).
  nn::Tensor encode(nn::Graph& graph, const SourceInputs& inputs) const;
  /// The decoder's output before the projection to the vocabulary, (target rows, d_model).
  nn::Tensor decode(nn::Graph& graph, const TargetInputs& inputs, const nn::Tensor& memory) const;
  /// Loss of the whole model on a batch; see nn::ChunkedLoss.
  nn::ChunkedLoss loss(nn::Graph& graph, const BatchInputs& inputs) const;

  struct AttentionWeights {
    nn::Parameter query, key, value, output;
  };
  struct Normalisation {
    nn::Parameter gain, bias;
  };
  struct FeedForward {
    nn::Parameter inner, inner_bias, outer, outer_bias;
  };
  struct EncoderLayer {
    AttentionWeights self;
    Normalisation self_norm;
    FeedForward feed_forward;
    Normalisation feed_forward_norm;
  };
  struct DecoderLayer {
    AttentionWeights self;
    Normalisation self_norm;
    AttentionWeights cross;
    Normalisation cross_norm;
    FeedForward feed_forward;
    Normalisation feed_forward_norm;
  };

 private:
  Config config_;
  nn::Parameter source_embedding_;
  nn::Parameter target_embedding_;
  nn::Parameter projection_;
  std::optional<nn::Parameter> source_positions_;  // learned
  std::optional<nn::Parameter> target_positions_;
  std::vector<EncoderLayer> encoder_;
  std::vector<DecoderLayer> decoder_;
  std::optional<Normalisation> encoder_norm_;  // pre-norm only
  std::optional<Normalisation> decoder_norm_;
};

}  // namespace awend::model
