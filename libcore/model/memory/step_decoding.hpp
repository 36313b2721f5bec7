// A memory network one token at a time.
//
// The source caches have one row for each token of a line.  The encoder stores the memories of a
// line in its first rows, and its question in the first row of another cache.  The only step of a
// hypothesis is its answer.  Test: tests/properties/memory_test.cpp.
#pragma once

#include <optional>
#include <vector>

#include "model/memory/stories.hpp"
#include "model/step_decoding.hpp"
#include "nn/decoding.hpp"

namespace awend::model {

class MemoryStepDecoding : public StepDecoding {
 public:
  MemoryStepDecoding(const MemoryNetwork& network, nn::Engine& engine,
                     const StepCapacity& capacity);

  void append_encoder(nn::Graph& graph) override;
  nn::Tensor append_step(nn::Graph& graph, const nn::Count& rows) override;
  void write(std::span<const SourceSentence> sentences) override;
  void write(const StepRows& step) override;

 private:
  struct EncoderInputs {
    nn::Program& program;
    MemoryInputs memories;
    nn::Count lines;
    nn::EmbeddingBagInputs questions;
    nn::Tensor memory_places;    ///< (memories, 1): rows of the caches of memories
    nn::Tensor question_places;  ///< (lines, 1): rows of the cache of questions
  };
  struct StepInputs {
    nn::Program& program;
    nn::Tensor question_places;  ///< (rows, 1)
    nn::Tensor memory_ranges;    ///< (rows, 2)
  };

  const MemoryNetwork& network_;
  StepCapacity capacity_;
  std::vector<nn::RowCache> memories_;  // by table
  nn::RowCache questions_;
  std::vector<std::uint32_t> memories_at_;  // by the first row of a line: its memories
  std::optional<EncoderInputs> encoder_;
  std::optional<StepInputs> step_;
};

}  // namespace awend::model
