// Rows of whole numbers, one a segment, and fast sums of many of them: what resampling spends its
// time on.
//
// Four numbers are added at once; sums are taken in 32 bits for as long as they cannot overflow.
// Test: tests/unit/metrics/resampling_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace awend::metrics {

/// Immutable.
class SegmentRows {
 public:
  SegmentRows(std::span<const std::int32_t> rows, std::size_t width);

  std::size_t width() const { return width_; }
  std::size_t size() const { return size_; }

  /// Adds up the rows of these numbers.
  void add_up(std::span<const std::uint32_t> numbers, std::span<std::int64_t> sums) const;

  /// For each of `sums.size() / width()` samples in a row: adds up the rows whose bit is set.  A
  /// sample has size() bits, the lowest of a word first, and begins where the one before it ends.
  void add_up_by_bits(std::span<const std::uint64_t> bits, std::span<std::int64_t> sums) const;

 private:
  using Lane = std::int32_t __attribute__((vector_size(16)));
  static constexpr std::size_t kNumbers = 4;   // of a lane
  static constexpr std::size_t kMaxLanes = 3;  // of a panel: what BLEU needs

  /// Some columns of the table.
  struct Panel {
    std::size_t first;  // column
    std::size_t lanes;  // of each row
    std::vector<Lane> rows;
  };

  template <class Call>
  static void with_lanes(const Panel& panel, const Call& call);
  void add_to(std::span<std::int64_t> sums, const Panel& panel, const Lane* lanes) const;

  std::size_t width_, size_;
  std::size_t safe_rows_;  // that cannot overflow 32 bits, whichever they are
  std::vector<Panel> panels_;
};

}  // namespace awend::metrics
