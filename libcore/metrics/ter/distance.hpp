// The edit distance within TER's beam: insertions, deletions and substitutions of words, each of
// cost 1, on paths near the diagonal.
//
// Row i of the table corresponds to the first i words of the hypothesis, column j to the first j of
// the reference.  The costs from the start to each cell and from the cell to the end are stored.
// If words in the middle change, only their rows are computed again, and the halves are combined at
// the last of them: the minimum over its cells is the distance. Test:
// tests/unit/metrics/ter/ter_test.cpp, against the complete table.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace awend::metrics {

/// The alignment of words on the cheapest path.
struct TerAlignment {
  /// For each word of the reference, its word of the hypothesis, or the last one before it; -1
  /// before the first.
  std::vector<std::int32_t> hypothesis_of;
  std::vector<std::uint8_t> reference_wrong, hypothesis_wrong;  // 1: edited
};

class TerDistance {
 public:
  /// The texts consist of numbered words; both views must outlive the object.
  void set(std::span<const std::uint32_t> hypothesis, std::span<const std::uint32_t> reference);

  /// The distance between them.
  std::int32_t value() const;

  /// The distance if the hypothesis had these words from position `begin`, in place of as many.
  std::int32_t value_with(std::size_t begin, std::span<const std::uint32_t> words);

  /// Of several cheapest paths, the one that, from the end, prefers to keep or substitute, then to
  /// delete, then to insert.
  void align(TerAlignment& alignment) const;

 private:
  using Cost = std::int32_t;

  // The cells of a row, adjacent cells that the next row may access, and where they are stored.
  struct Row {
    std::ptrdiff_t begin, end;         // columns inside the beam
    std::ptrdiff_t forward, backward;  // position of column 0, which may be outside
  };

  void set_rows();
  void go_forward();
  void go_backward();
  void next_row(std::size_t i, std::uint32_t word, const Cost* above, Cost* row) const;

  std::span<const std::uint32_t> hypothesis_;
  std::vector<std::uint32_t> reference_;  // of column j at j; none for column 0 and after the last
  std::vector<Row> rows_;
  std::vector<Cost> forward_, backward_;
  std::vector<Cost> scratch_[2];
};

}  // namespace awend::metrics
