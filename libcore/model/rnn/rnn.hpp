// A recurrent encoder-decoder as a model::Seq2Seq.  Test: tests/unit/model/architectures_test.cpp.
#pragma once

#include "model/rnn/network.hpp"
#include "model/seq2seq.hpp"

namespace awend::model {

class Rnn : public Seq2Seq {
 public:
  Rnn(const Config& config, nn::Parameters& parameters)
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
  std::uint32_t max_tokens(const nn::Engine& engine) const override;
  DecodingFootprint footprint(const nn::Engine& engine) const override;

 private:
  RnnNetwork network_;
};

}  // namespace awend::model
