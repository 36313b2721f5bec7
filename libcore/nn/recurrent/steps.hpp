// The steps of a recurrent layer over packed sentences, without padding.
//
// Sentences are sorted by length, longest first; the number of a sentence in this order is its
// rank.  Step t processes the sentences with more than t tokens, which are the first ranks.
// Tensors "by rank" (sentences, columns) hold what one step reads and writes, packed tensors
// (rows, columns) all tokens, sentence by sentence; a table maps a step and a rank to a row.  The
// host sets the counts, so that a step without sentences launches no workgroups.  Test:
// tests/kernels/recurrent_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nn/program.hpp"

namespace awend::nn {

struct Steps {
  Tensor table;               ///< (rows, 1): by step and rank, the row of the token
  std::vector<Count> counts;  ///< By step.  The second word: the first entry in the table.

  /// All sentences.
  const Count& sentences() const { return counts.front(); }
  std::size_t size() const { return counts.size(); }
};

/// Inputs for batches of up to `rows` rows, in sentences of up to `longest` tokens.
Steps declare_steps(Program& program, const Count& rows, std::uint32_t longest);

/// The same steps in another direction, which has its own table.
Steps with_own_table(Program& program, const Steps& steps);

/// One step of `rows` sentences with one token each, in order.
Steps single_step(Program& program, const Count& rows);

/// The first rows of a tensor by rank: those of one step.
inline Tensor first_rows(const Tensor& tensor, const Count& count) {
  return tensor.from_row(0, count);
}

/// Sets the counts of the steps from the lengths by rank.  Throws Error if a sentence is longer
/// than the steps allow.
void set_counts(Program& program, const Steps& steps, std::span<const std::uint32_t> lengths);

}  // namespace awend::nn
