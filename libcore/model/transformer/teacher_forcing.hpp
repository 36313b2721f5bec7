// The Transformer over packed batches: its inputs, and how a batch is written to them.  Test:
// tests/learn, tests/properties.
#pragma once

#include <optional>

#include "model/attention_ranges.hpp"
#include "model/teacher_forcing.hpp"
#include "model/transformer/network.hpp"

namespace awend::model {

/// Inputs of one side.  Only gradients need rows by id, rows by position and the queries of keys.
struct SideInputs {
  nn::Count rows;
  nn::EmbeddingInputs embedding;
  nn::AttentionRanges self;
};

/// Declares the inputs of the encoder.  Two tokens of a sentence attend to each other or neither
/// does, so both directions of its ranges are one tensor.  `longest`: as BatchSettings::longest.
SideInputs declare_source(nn::Graph& graph, const Config& config, std::uint32_t max_rows,
                          std::uint32_t longest = 0);
/// Writes ids and positions; ranges are left to the caller.
void write_side(nn::Program& program, const batch::PackedSide& side, const SideInputs& inputs);

/// What the decoder reads for `id`: itself, or the start token for batch::kNoToken if there is one.
std::uint32_t decoder_input(const Config& config, std::uint32_t id);

class TransformerTeacherForcing : public TeacherForcing {
 public:
  TransformerTeacherForcing(const TransformerNetwork& network, nn::Graph& graph,
                            const BatchSettings& settings);

  void encode() override;
  nn::Tensor decode() override;
  nn::Loss loss() override;
  std::optional<nn::Loss> alignment_cost() override { return alignment_cost_; }
  std::uint32_t row_of(std::uint32_t row) const override { return row; }
  const std::vector<AttentionOutput>& attentions() const override { return attentions_; }
  void write(const batch::PackedBatch& batch) override;

 private:
  using Kind = AttentionOutput::Kind;
  void on_attention(const nn::AttentionRecord& record);
  Kind kind_of_next() const;
  void add_output(const nn::AttentionRecord& record, Kind kind);
  std::uint32_t guided_layer() const;
  void guide(const nn::AttentionRecord& record);
  void write_links(const batch::PackedBatch& batch);

  const TransformerNetwork& network_;
  nn::Graph& graph_;
  BatchSettings settings_;
  SideInputs source_;
  SideInputs target_;
  std::optional<nn::Tensor> sentences_;  // (sentences, 2): target rows, for SSRUs
  nn::AttentionRanges cross_;
  nn::Tensor output_ids_;
  std::optional<nn::Tensor> memory_;  // the encoder's output
  std::vector<AttentionOutput> attentions_;
  std::optional<Kind> last_kind_;    // of the attentions that were appended
  std::uint32_t cross_layers_ = 0;   // of which there were this many of the source
  std::optional<nn::Tensor> links_;  // with guided alignment: see nn::GuidedAttentionInputs
  std::uint32_t max_keys_ = 0;
  std::optional<nn::Loss> alignment_cost_;
};

}  // namespace awend::model
