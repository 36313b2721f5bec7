// The network of BERT (Devlin et al., 2019): the encoder of a Transformer with learned positions
// and segments, and heads for masked tokens, the next sentence, labels and spans.  Forward only.
#pragma once

#include <optional>
#include <vector>

#include "model/transformer/layers.hpp"
#include "nn/recurrent/lookup.hpp"
#include "nn/recurrent/move_rows.hpp"

namespace awend::model {

struct BertInputs {
  nn::EmbeddingInputs tokens;
  nn::FewLookupInputs segments;
  nn::AttentionRanges ranges;
};

class BertNetwork {
 public:
  /// Declares the parameters, by name ("encoder.0.self.query", …).  Throws Error if the settings
  /// are invalid, or if labels are missing.
  BertNetwork(const Config& config, nn::Parameters& parameters);

  /// With the settings that are fixed.
  const Config& config() const { return config_; }
  bool is_table(const nn::Parameter& parameter) const;
  /// Whether the model classifies pairs of segments.
  bool has_next_sentence() const { return next_sentence_.has_value(); }
  /// Whether the model predicts spans.
  bool has_spans() const { return spans_.has_value(); }

  /// The output of the last layer, (rows, d_model).
  nn::Tensor encode(nn::Graph& graph, const BertInputs& inputs) const {
    return encode_layers(graph, inputs).back();
  }
  /// The normalized embeddings and the outputs of all layers, each (rows, d_model).
  std::vector<nn::Tensor> encode_layers(nn::Graph& graph, const BertInputs& inputs) const;
  /// The input of predictions() from rows of the output of the last layer: (rows, d_model).
  nn::Tensor head(nn::Graph& graph, const nn::Tensor& rows) const;
  /// The projection to tokens, to labels, or to the first and the last token of a span.
  nn::OutputLayer predictions() const;
  /// The input of next_sentence() from the first rows of sentences: (B, d_model).
  nn::Tensor pooled(nn::Graph& graph, const nn::Tensor& first_rows) const;
  /// The projection to "follows" and "does not follow".
  nn::OutputLayer next_sentence() const { return *next_sentence_; }

 private:
  void declare_heads(nn::Parameters& parameters);
  void declare_estimator(nn::Parameters& parameters) const;
  nn::OutputLayer declare_classifier(nn::Parameters& parameters, const std::string& name,
                                     std::uint32_t classes);

  Config config_;
  nn::Parameter embedding_;  // (vocabulary, d_model)
  nn::Parameter positions_;  // (longest, d_model)
  nn::Parameter segments_;   // (segments, d_model)
  LayerNormParameters embedding_norm_;
  std::vector<EncoderLayer> layers_;
  // Pre-training: masked tokens.
  std::optional<Projection> masked_dense_;
  std::optional<LayerNormParameters> masked_norm_;
  std::optional<nn::Parameter> masked_bias_;  // (vocabulary, 1)
  std::optional<Projection> pooler_;
  std::optional<nn::OutputLayer> next_sentence_;
  std::optional<nn::OutputLayer> labels_, spans_;
};

}  // namespace awend::model
