// A model's loss over packed batches in one graph: what training and validation need of a model.
// See model/model.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "batch/packed_batch.hpp"
#include "nn/loss.hpp"
#include "nn/operation_settings.hpp"

namespace awend::model {

/// The largest batch, and what the host reads of it.
struct BatchSettings {
  std::uint32_t source_rows;
  std::uint32_t target_rows;
  enum class Loss { kTotals, kTokens } loss = Loss::kTotals;
  enum class Attention { kNone, kRecorded } attention = Attention::kNone;
  std::uint32_t longest = 0;  ///< Tokens of the longest sentence, its end included; 0: unknown.
  /// Whether the loss includes the cost of alignments.  Requires: Model::guides_alignment().
  std::optional<nn::GuidedAlignment> guided_alignment = {};
};

/// Attention weights as an output: (query rows, heads · max keys).  The weights of a row and head
/// start with those of the first key of its range (model/attention_ranges.hpp).
struct AttentionOutput {
  enum class Kind { kEncoder, kDecoder, kCross };
  Kind kind;
  std::uint32_t heads;
  std::uint32_t max_keys;
  nn::Tensor weights;
};

class BatchLoss {
 public:
  virtual ~BatchLoss() = default;

  /// Appends the forward pass and the loss, once.  In training, Graph::derive_backward() comes
  /// next.
  virtual nn::Loss loss() = 0;
  /// Appends the loss of classes of sentences after loss(), if the model has one.
  virtual std::optional<nn::Loss> sentence_loss() { return std::nullopt; }
  /// In training, its StepScalars, an input; loss_scale is its share of the gradient.
  virtual std::optional<nn::Tensor> sentence_scalars() const { return std::nullopt; }
  /// The cost of alignments, without its weight, after loss(); with guided_alignment.
  virtual std::optional<nn::Loss> alignment_cost() { return std::nullopt; }
  /// The row of the loss that predicts token `row` of batch::PackedBatch::output_ids.
  virtual std::uint32_t row_of(std::uint32_t row) const { return row; }
  /// With Attention::kRecorded: the attentions by layer, first to last.
  virtual const std::vector<AttentionOutput>& attentions() const = 0;

  /// Writes the inputs and counts of a batch before a replay.  Throws Error if it is larger than
  /// the settings allow.  Requires: compiled, and in training the step scalars of the graph are
  /// written.
  virtual void write(const batch::PackedBatch& batch) = 0;
};

}  // namespace awend::model
