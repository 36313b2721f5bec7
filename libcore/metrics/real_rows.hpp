// Rows of real numbers, one per segment, each number stored as the bits of a double.
//
// Sums of such numbers depend on the order of additions.  Sums over the corpus are computed in
// doubles, segment by segment, and those of bootstrap samples in 32-bit floats, in the order of the
// sample, because only this gives the last digit of sacreBLEU.
//
// Test: tests/unit/metrics/real_rows_test.cpp.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace awend::metrics {

inline double real_of(std::int64_t bits) {
  return std::bit_cast<double>(bits);
}
inline std::int64_t bits_of(double number) {
  return std::bit_cast<std::int64_t>(number);
}

/// Adds rows of sums.size() numbers to the sums, in order.
void add_real_rows(std::span<const std::int64_t> rows, std::span<std::int64_t> sums);

/// Immutable.
class RealRows {
 public:
  RealRows(std::span<const std::int64_t> rows, std::size_t width);

  std::size_t width() const { return width_; }
  std::size_t size() const { return rows_.size() / width_; }

  /// The sums of the rows with these numbers; each sum is a float.
  void add_up(std::span<const std::uint32_t> numbers, std::span<std::int64_t> sums) const;

  /// The sums of the rows whose bit is set, and of the others.  The bit of row 0 is at `place`;
  /// the lowest bit of a word is the first.
  struct Split {
    std::vector<double> chosen, others;
  };
  Split split(std::span<const std::uint64_t> bits, std::size_t place) const;

 private:
  std::size_t width_;
  std::vector<double> rows_;
};

}  // namespace awend::metrics
