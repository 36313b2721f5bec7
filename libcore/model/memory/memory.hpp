// A memory network as a model::Seq2Seq.  Test: tests/unit/model/architectures_test.cpp.
#pragma once

#include "model/memory/network.hpp"
#include "model/seq2seq.hpp"

namespace awend::model {

class Memory : public Seq2Seq {
 public:
  Memory(const Config& config, nn::Parameters& parameters)
      : Seq2Seq(config), network_(config, parameters) {}

  const nn::Parameter& projection() const override { return network_.projection(); }
  bool is_table(const nn::Parameter& parameter) const override {
    return network_.is_table(parameter);
  }
  /// The linear start.
  std::vector<std::uint64_t> phase_ends() const override;
  void begin_phase(nn::Parameters& parameters, std::size_t phase) const override;
  std::unique_ptr<TeacherForcing> declare_inputs(nn::Graph& graph,
                                                 const BatchSettings& settings) const override;
  std::unique_ptr<StepDecoding> make_cache(nn::Engine& engine,
                                           const StepCapacity& capacity) const override;
  store::AttentionLayout attention_layout() const override;
  bool has_probabilities(const nn::Parameters& parameters) const override;
  std::optional<std::vector<batch::RowRange>> attended_sentences(
      std::span<const std::uint32_t> source) const override;
  batch::RowRange question(std::span<const std::uint32_t> source) const override;
  std::optional<std::uint32_t> output_length() const override { return 1; }
  std::uint32_t max_tokens(const nn::Engine& engine) const override;
  DecodingFootprint footprint(const nn::Engine& engine) const override;

 private:
  MemoryNetwork network_;
};

}  // namespace awend::model
