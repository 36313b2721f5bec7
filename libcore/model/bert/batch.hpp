// BERT over packed batches: its inputs, how a batch is written to them, and the losses of training.
// Test: tests/learn/gradient_test.cpp, tests/properties/bert_test.cpp.
#pragma once

#include <optional>
#include <vector>

#include "model/bert/network.hpp"
#include "model/encoder.hpp"
#include "model/transformer/teacher_forcing.hpp"

namespace awend::model {

class BertBatch : public BatchLoss, public BatchEncoding {
 public:
  struct Settings {
    std::uint32_t rows;
    std::uint32_t predictions;
    BatchSettings::Loss loss = BatchSettings::Loss::kTotals;
    BatchSettings::Attention attention = BatchSettings::Attention::kNone;
  };
  BertBatch(const BertNetwork& network, nn::Graph& graph, const Settings& settings);

  nn::Loss loss() override;
  std::optional<nn::Loss> sentence_loss() override;
  std::optional<nn::Tensor> sentence_scalars() const override { return sentence_scalars_; }
  const std::vector<AttentionOutput>& attentions() const override { return attentions_; }

  nn::Tensor encode() override;
  std::vector<nn::Tensor> encode_layers() override;
  nn::Logits predict() override;
  std::optional<nn::Logits> classify_sentences() override;
  std::optional<nn::Logits> span_ends() override;

  void write(const batch::PackedBatch& batch) override;

 private:
  /// Some rows of the encoder's output.
  struct Selected {
    nn::Count rows;  ///< The second word is that of the first row in the update.
    nn::RowSelection selection;
  };
  struct SpanInputs {
    nn::Count sentences;
    nn::Tensor ranges, targets;  ///< See nn::SpanLossInputs.
  };
  void add_output(const nn::AttentionRecord& record);
  SpanInputs declare_spans();
  void write_spans(const batch::PackedBatch& batch);
  void write_segments_of(const batch::PackedSide& source);
  Selected declare_selected(std::uint32_t max_rows);
  void write_selected(std::span<const std::uint32_t> rows, std::uint32_t first, const Selected& to);
  nn::Tensor gathered(const Selected& selected);

  const BertNetwork& network_;
  nn::Graph& graph_;
  Settings settings_;
  SideInputs source_;
  nn::FewLookupInputs segments_;
  Selected predicted_;
  nn::Tensor output_ids_;
  // If the model classifies pairs of segments:
  std::optional<Selected> first_;
  std::optional<nn::Tensor> labels_;
  std::optional<nn::Tensor> sentence_scalars_;
  std::optional<SpanInputs> spans_;  // if the model predicts spans
  std::optional<nn::Tensor> encoded_;
  std::vector<AttentionOutput> attentions_;
};

}  // namespace awend::model
