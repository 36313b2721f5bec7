// The parts of an input line of a memory network: the sentences of a story, then a question.
//
//   mary moved to the bathroom . john went to the hallway . where is mary ?
//
// Each sentence ends with one token, by default ".", and the question with another, by default
// "?".  Test: tests/unit/model/memory_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "batch/packed_batch.hpp"
#include "model/config.hpp"

namespace awend::model {

/// Ranges of tokens of a line.
struct Story {
  std::vector<batch::RowRange>
      sentences;             ///< Without their ends and without empty ones, oldest first.
  batch::RowRange question;  ///< Without its end; empty if the line has none.
};

/// The parts of any line; `ids` are without the end of the line.  Text after the last sentence is
/// the question, even if its end is missing.
Story parse_story(std::span<const std::uint32_t> ids, const MemoryConfig& config);

/// What is wrong with a line, in words, or nullopt: it needs a question and its end.
std::optional<std::string> story_problem(std::span<const std::uint32_t> ids,
                                         const MemoryConfig& config);

}  // namespace awend::model
