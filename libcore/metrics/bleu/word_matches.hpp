// The word n-grams that a line shares with its references, each counted at most as often as in the
// reference that contains it most often; used by all variants of BLEU.
//
// Test: tests/unit/metrics/bleu/bleu_test.cpp, tests/unit/metrics/bleu/paper_bleu_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "metrics/ngram_tree.hpp"
#include "metrics/word_ids.hpp"

namespace awend::metrics {

/// Each thread has its own; its memory is reused for the next segment.
class WordMatches {
 public:
  explicit WordMatches(std::size_t max_order) : max_order_(max_order) {}

  /// Removes all references.
  void clear();
  void add_reference(std::span<const std::string_view> words);

  /// Writes the numbers of matches and n-grams of a line for n = 1, 2, ..., max_order.
  void count(std::span<const std::string_view> words, std::span<std::int64_t> matches,
             std::span<std::int64_t> totals);
  /// The words of the reference closest in length; the shorter one of two.  Requires: a reference.
  std::int64_t closest_length(std::size_t length) const;

 private:
  const std::size_t max_order_;
  WordIds ids_;
  NgramTree tree_;
  bool has_tree_ = false;  // of the current references
  std::vector<NgramTree::Symbols> references_;
  NgramTree::Symbols line_;
};

}  // namespace awend::metrics
