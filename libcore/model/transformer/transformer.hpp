// The Transformer as a model::Seq2Seq.  Test: tests/unit/model/config_test.cpp.
#pragma once

#include "model/seq2seq.hpp"
#include "model/transformer/network.hpp"

namespace awend::model {

class Transformer : public Seq2Seq {
 public:
  Transformer(const Config& config, nn::Parameters& parameters)
      : Seq2Seq(config), network_(config, parameters) {}

  const nn::Parameter& projection() const override { return network_.projection(); }
  std::optional<nn::Parameter> output_bias() const override { return network_.output_bias(); }
  bool is_table(const nn::Parameter& parameter) const override {
    return network_.is_table(parameter);
  }
  std::unique_ptr<TeacherForcing> declare_inputs(nn::Graph& graph,
                                                 const BatchSettings& settings) const override;
  std::unique_ptr<StepDecoding> make_cache(nn::Engine& engine,
                                           const StepCapacity& capacity) const override;
  store::AttentionLayout attention_layout() const override;
  bool guides_alignment() const override {
    return config().transformer.guided_alignment_layer != 0;
  }
  std::uint32_t max_tokens(const nn::Engine& engine) const override;
  DecodingFootprint footprint(const nn::Engine& engine) const override;

 private:
  TransformerNetwork network_;
};

}  // namespace awend::model
