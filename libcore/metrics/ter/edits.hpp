// The number of edits from a hypothesis to a reference, where moving adjacent words is one edit:
// TER's greedy search (Snover et al. 2006), with tercom's limits and sacreBLEU's tie breaking.
//
// Each round tries all moves of words to their positions in the reference, and applies the one that
// reduces the edit distance most.  Of equal moves, the longest is applied, then the one from the
// earliest position, then the one to the earliest.  Test: tests/unit/metrics/ter/ter_test.cpp.
#pragma once

#include "metrics/ter/distance.hpp"

namespace awend::metrics {

/// Each thread has its own.
class TerEdits {
 public:
  /// Sets the reference of the hypotheses that follow; the view must outlive them.
  void set_reference(std::span<const std::uint32_t> reference);
  std::int64_t count(std::span<const std::uint32_t> hypothesis);

 private:
  // `length` words from `start` are moved before the word at `target`.
  struct Move {
    std::uint32_t start, length, target;
    auto operator<=>(const Move&) const = default;
  };
  // The effect of a move: from position `begin`, the words are these.
  struct Change {
    std::size_t begin;
    std::span<const std::uint32_t> words;
  };

  bool improve();
  bool collect_moves();
  void collect_moves_of(std::uint32_t start, std::uint32_t place);
  Change change_by(const Move& move);
  std::int32_t min_distance() const;

  std::span<const std::uint32_t> reference_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> places_;  // (word, position), sorted
  std::vector<std::uint32_t> hypothesis_, changed_;
  std::vector<std::uint32_t> hypothesis_errors_, reference_errors_;  // before each position
  std::vector<Move> moves_;
  std::size_t tried_ = 0;
  TerDistance distance_;
  TerAlignment alignment_;
};

}  // namespace awend::metrics
