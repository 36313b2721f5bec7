// The end of a decoding step on the processor where each row has a list of tokens that it may have:
// only their logits are computed.  On a GPU, restrict_tokens() masks the others.
//
// Test: tests/kernels/listed_test.cpp, tests/properties/sentence_shortlist_test.cpp.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "nn/decoding.hpp"
#include "nn/sampling.hpp"

namespace awend::nn {

/// On all devices: the logits of tokens whose bits in `allowed` are 0, (rows, vocabulary / 32,
/// rounded up), become kMaskedLogit.
void restrict_tokens(Program& program, const Logits& logits, const Tensor& allowed);

/// The tokens of each row, written before each replay; ids in ascending order.  Rows that follow
/// each other and have the same list, in the same memory, are computed together.
using TokenLists = std::vector<std::span<const std::uint32_t>>;

struct ListedSelection {
  std::uint32_t candidates;                          ///< Of each row.
  std::optional<Sampling> sampling = std::nullopt;   ///< If set, there is one candidate.
  std::optional<Tensor> random_keys = std::nullopt;  ///< For sampling.
};

/// The best or sampled tokens of x · tableᵀ + bias, normalized over the tokens of the list of each
/// row.  All ids, also in `constraints`, are places in that list.  The operands are read in fp32,
/// also where others are rounded or quantized.  Requires: a program on the processor; `lists`
/// outlives it.
TopK select_listed(Graph& graph, const Tensor& x, const OutputLayer& output,
                   const TokenLists& lists, const ListedSelection& selection,
                   const TokenConstraints& constraints);

}  // namespace awend::nn
