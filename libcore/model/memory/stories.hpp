// The stories of a batch as inputs of a memory network.  Test: tests/unit/model/memory_test.cpp.
#pragma once

#include <functional>
#include <vector>

#include "batch/packed_batch.hpp"
#include "model/memory/network.hpp"

namespace awend::model {

/// The memories of a batch of lines.
struct PackedStories {
  std::vector<batch::RowRange> words;  ///< By memory: the rows of its words; empty for noise.
  std::vector<std::uint32_t> ages;     ///< By memory: 0 is the newest of its line.
  std::vector<batch::RowRange> memories_of_row;   ///< By source row; empty for other rows.
  std::vector<batch::RowRange> memories_of_line;  ///< By line.
  std::vector<batch::RowRange>
      questions_of_line;  ///< By line: the rows of the words of its question.
};

/// Whether an empty memory follows the sentence that begins at a source row.
using NoiseAfter = std::function<bool(std::uint32_t row)>;

/// The newest memories of each line, up to the size of the memory.
PackedStories pack_stories(const batch::PackedSide& source, const MemoryConfig& config,
                           const NoiseAfter& noise);

/// Declares the inputs of memories and of their words.
MemoryInputs declare_memories(nn::Graph& graph, const Config& config, std::uint32_t source_rows);
/// Declares the rows of questions; `inputs` has their words.
nn::EmbeddingBagInputs declare_questions(nn::Graph& graph, const nn::Count& questions,
                                         const MemoryInputs& inputs);

void write_memories(nn::Program& program, const batch::PackedSide& source,
                    const PackedStories& stories, const MemoryInputs& inputs);
void write_row_ranges(const nn::Program& program, std::span<const batch::RowRange> ranges,
                      const nn::Tensor& to);

}  // namespace awend::model
