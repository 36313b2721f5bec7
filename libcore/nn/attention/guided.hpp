// Guided alignment (Chen et al., 2016): the weights of one head of an attention are trained towards
// word alignments.  Test: tests/kernels/guided_attention_test.cpp.
#pragma once

#include <cstdint>

#include "base/numbers.hpp"
#include "nn/attention/shape.hpp"
#include "nn/loss.hpp"
#include "nn/operation_settings.hpp"

namespace awend::nn {

class Graph;

/// The words of a row of `links` for queries with at most `max_keys` keys.
constexpr std::uint32_t link_words(std::uint32_t max_keys) {
  return base::divide_up(max_keys, 32);
}

struct GuidedAttentionInputs {
  /// (query rows, link_words(max_keys)): bit i % 32 of word i / 32 tells whether the ith key of the
  /// query is linked.
  Tensor links;
  Tensor queries_of_key;  ///< (key rows, 2); see AttentionRanges
  std::uint32_t max_keys;
  std::uint32_t head;  ///< From 0.
  GuidedAlignment settings;
};

/// The cost of an attention, without dropout and `settings.weight`.  With p the weights of a query
/// and a = 1 for linked keys, otherwise 0, it is −Σ a / Σ a · ln(p + 1e-6), and 0 for a query
/// without links, or Σ (p − a)² / 2.  In training, also adds the gradient of cost · weight ·
/// step_scalars.loss_scale to those of q and k.
class GuidedAttentionLoss : public Loss {
 public:
  /// Requires: a callback of Graph::on_attention() calls it, so that the gradient is added to that
  /// of the attention; no relative positions.
  GuidedAttentionLoss(Graph& graph, const AttentionRecord& attention,
                      const GuidedAttentionInputs& inputs);
};

}  // namespace awend::nn
