// A memory network over packed batches with given answers.  Test: tests/learn, tests/properties.
#pragma once

#include <optional>
#include <vector>

#include "model/memory/stories.hpp"
#include "model/teacher_forcing.hpp"

namespace awend::model {

class MemoryTeacherForcing : public TeacherForcing {
 public:
  MemoryTeacherForcing(const MemoryNetwork& network, nn::Graph& graph,
                       const BatchSettings& settings);

  void encode() override;
  nn::Tensor decode() override;
  nn::Loss loss() override;
  std::uint32_t row_of(std::uint32_t row) const override { return row; }
  const std::vector<AttentionOutput>& attentions() const override { return attentions_; }
  void write(const batch::PackedBatch& batch) override;

 private:
  NoiseAfter noise_of(const batch::PackedSide& source) const;

  const MemoryNetwork& network_;
  nn::Graph& graph_;
  BatchSettings settings_;
  nn::Count target_;
  MemoryInputs inputs_;
  nn::EmbeddingBagInputs questions_;  // of target rows; none at the end of an answer
  nn::Tensor keys_of_query_, queries_of_key_;
  nn::Tensor output_ids_;
  std::optional<nn::Tensor> scalars_;  // in training
  std::vector<nn::Tensor> memories_;
  std::vector<AttentionOutput> attentions_;
};

}  // namespace awend::model
