// The Transformer, section 3 of the paper, written forward only; nn derives the backward pass.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "model/seq2seq.hpp"
#include "model/transformer/layers.hpp"

namespace awend::model {

class Transformer : public Seq2Seq {
 public:
  /// Declares the parameters, by name ("encoder.0.self.query", …).  Throws Error if the settings
  /// are invalid.
  Transformer(const Config& config, nn::Parameters& parameters);

  const nn::Parameter& projection() const override { return projection_; }
  bool is_table(const nn::Parameter& parameter) const override;
  std::unique_ptr<TeacherForcing> declare_inputs(nn::Graph& graph,
                                                 const BatchSettings& settings) const override;
  std::unique_ptr<StepDecoding> make_cache(nn::Engine& engine,
                                           const StepCapacity& capacity) const override;
  store::AttentionLayout attention_layout() const override;
  std::uint32_t max_tokens(const nn::Engine& engine) const override;
  DecodingFootprint footprint(const nn::Engine& engine) const override;

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
