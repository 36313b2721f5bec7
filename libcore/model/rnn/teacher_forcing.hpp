// A recurrent network over packed batches with given targets.  Test: tests/learn, tests/properties.
#pragma once

#include <optional>
#include <vector>

#include "model/rnn/network.hpp"
#include "model/teacher_forcing.hpp"

namespace awend::model {

class RnnTeacherForcing : public TeacherForcing {
 public:
  RnnTeacherForcing(const RnnNetwork& network, nn::Graph& graph, const BatchSettings& settings);

  void encode() override;
  nn::Tensor decode() override;
  nn::Loss loss() override;
  std::uint32_t row_of(std::uint32_t row) const override { return row; }
  const std::vector<AttentionOutput>& attentions() const override { return attentions_; }
  void write(const batch::PackedBatch& batch) override;

 private:
  std::vector<nn::CellState> target_start();
  std::optional<nn::Tensor> summaries();
  void write_centers(const batch::PackedBatch& batch);

  const RnnNetwork& network_;
  nn::Graph& graph_;
  BatchSettings settings_;
  RnnSide source_, target_;
  nn::Tensor keys_of_query_, queries_of_key_;
  std::optional<nn::Tensor> centers_;
  nn::Tensor source_ranks_;  // (target sentences, 1): by target rank, the source rank
  nn::Tensor output_ids_;
  std::optional<RnnEncoded> encoded_;
  std::vector<AttentionOutput> attentions_;
};

}  // namespace awend::model
