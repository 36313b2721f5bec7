// Rows of integers, one per segment, and fast sums of many of them, which take most of the time of
// resampling.
//
// A column is stored in units of its greatest common divisor, in one or more columns of ten-bit
// digits, so that eight numbers can be added at once, in 16 bits as long as they cannot overflow.
// Rows are accessed at random, so they must be short and lie in one cache line.
//
// Test: tests/unit/metrics/statistics/resampling_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace awend::metrics {

/// Immutable.
class SegmentRows {
 public:
  SegmentRows(std::span<const std::int64_t> rows, std::size_t width);

  std::size_t width() const { return width_; }
  std::size_t size() const { return size_; }

  /// Adds the rows with these numbers.
  void add_up(std::span<const std::uint32_t> numbers, std::span<std::int64_t> sums) const;

  /// For each of `sums.size() / width()` consecutive samples: adds the rows whose bit is set.  A
  /// sample has size() bits, the lowest of a word first, and begins where the one before it ends.
  void add_up_by_bits(std::span<const std::uint64_t> bits, std::span<std::int64_t> sums) const;

 private:
  using Lane = std::int16_t __attribute__((vector_size(16)));
  static constexpr std::size_t kNumbers = 8;   // of a lane
  static constexpr std::size_t kMaxLanes = 3;  // of a panel: what chrF needs; BLEU needs two

  struct alignas(64) CacheLine {
    Lane lanes[4];
  };

  /// One digit of the numbers of a column: a number is the sum of its digits times their units.
  struct Digit {
    std::size_t column;
    unsigned shift;  // of the number over the divisor
    bool highest;    // and so with a sign
    std::int64_t divisor, unit;
    std::int64_t of(std::int64_t number) const;
  };

  /// Some digits of all rows.
  struct Panel {
    std::span<const Digit> digits;
    std::size_t lanes;              // of each row
    std::vector<CacheLine> memory;  // of the rows, concatenated
    Lane* rows() { return memory.data()->lanes; }
    const Lane* rows() const { return memory.data()->lanes; }
  };

  template <class Call>
  static void with_lanes(const Panel& panel, const Call& call);
  static std::vector<Digit> digits_of(std::span<const std::int64_t> rows, std::size_t width);
  static void add_to(std::span<std::int64_t> sums, const Panel& panel, const Lane* lanes);

  std::size_t width_, size_;
  std::vector<Digit> digits_;
  std::vector<Panel> panels_;
  std::size_t safe_rows_;  // number of rows that can never overflow 16 bits
};

}  // namespace awend::metrics
