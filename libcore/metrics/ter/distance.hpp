// The edit distance inside TER's beam: words inserted, deleted, substituted, each costing 1, on
// paths that stay near the diagonal.
//
// Row i of the table stands for the first i words of the hypothesis, column j for the first j of
// the reference.  Beside the cost from the start to each cell the cost from there to the end is
// kept.  So where some words in the middle change, only their rows are computed anew, and the two
// halves are joined at the last of them: over the same cells, the least sum is the distance itself.
// Test: tests/unit/metrics/ter_test.cpp, against the whole table.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace awend::metrics {

/// Which word stands for which, read off the cheapest path.
struct TerAlignment {
  std::vector<std::int32_t> hypothesis_of;  // for a reference's word, that of the hypothesis, or
                                            // the last one before it; -1 before the first
  std::vector<std::uint8_t> reference_wrong, hypothesis_wrong;  // 1: edited
};

class TerDistance {
 public:
  /// Takes two texts of numbered words; both views must last.
  void set(std::span<const std::uint32_t> hypothesis, std::span<const std::uint32_t> reference);

  /// The distance between them.
  std::int32_t value() const;

  /// The distance if from position `begin` the hypothesis had these words instead of as many.
  std::int32_t value_with(std::size_t begin, std::span<const std::uint32_t> words);

  /// Of several cheapest paths the one that, from the end, prefers to keep or substitute, then to
  /// delete, then to insert.
  void align(TerAlignment& alignment) const;

 private:
  using Cost = std::int32_t;

  // A row's cells, those beside them that the next row may look at, and where they are stored.
  struct Row {
    std::ptrdiff_t begin, end;         // columns inside the beam
    std::ptrdiff_t forward, backward;  // place of column 0, which may lie outside
  };

  void set_rows();
  void go_forward();
  void go_backward();
  void next_row(std::size_t i, std::uint32_t word, const Cost* above, Cost* row) const;

  std::span<const std::uint32_t> hypothesis_;
  std::vector<std::uint32_t> reference_;  // of column j at j; columns 0 and behind the last: none
  std::vector<Row> rows_;
  std::vector<Cost> forward_, backward_;
  std::vector<Cost> scratch_[2];
};

}  // namespace awend::metrics
