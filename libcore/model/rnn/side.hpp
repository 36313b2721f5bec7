// The inputs of one side of a batch of a recurrent network, and how a batch is written to them.
#pragma once

#include <vector>

#include "batch/packed_batch.hpp"
#include "model/rnn/network.hpp"

namespace awend::model {

enum class SideKind { kSource, kTarget };

/// The largest batch of a side.
struct SideCapacity {
  std::uint32_t rows;
  std::uint32_t longest;  ///< Tokens of a sentence; 0: that of the settings of the model.
};

/// Declares the inputs of a side.
RnnSide declare_side(nn::Graph& graph, const Config& config, const SideCapacity& capacity,
                     SideKind kind);

/// The sentences of a side, longest first; those of the same length in their order.
std::vector<std::uint32_t> ranks(std::span<const std::uint32_t> begins);

/// The center of the attention of target token `t` with AttentionSpan::kMonotonic, as a word.
std::uint32_t monotonic_center(std::uint32_t t, std::uint32_t source_tokens);

/// Writes ids, steps and masks.  Throws Error if a sentence is too long.
void write_side(nn::Program& program, const Config& config, const batch::PackedSide& packed,
                const RnnSide& side);

}  // namespace awend::model
