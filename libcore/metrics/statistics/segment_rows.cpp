#include "metrics/statistics/segment_rows.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>

#include "base/error.hpp"
#include "base/numbers.hpp"

namespace awend::metrics {
namespace {

constexpr unsigned kDigitBits = 10;
constexpr std::size_t kGroup = 4;  // rows whose 16 sums are precomputed

// Four bits of a stream, from any position; zeros after its end.
unsigned nibble(std::span<const std::uint64_t> bits, std::size_t place) {
  const auto shift = place % 64;
  auto four = bits[place / 64] >> shift;
  if (shift > 60 && place / 64 + 1 < bits.size()) four |= bits[place / 64 + 1] << (64 - shift);
  return four & 15;
}

}  // namespace

// Short numbers, which are the most frequent, need one digit.
std::int64_t SegmentRows::Digit::of(std::int64_t number) const {
  const auto shifted = number / divisor >> shift;
  return highest ? shifted : shifted & ((std::int64_t{1} << kDigitBits) - 1);
}

std::vector<SegmentRows::Digit> SegmentRows::digits_of(std::span<const std::int64_t> rows,
                                                       std::size_t width) {
  std::vector<Digit> digits;
  for (std::size_t column = 0; column < width; ++column) {
    std::int64_t divisor = 0, largest = 0;
    for (std::size_t i = column; i < rows.size(); i += width) {
      divisor = std::gcd(divisor, rows[i]);
      largest = std::max(largest, std::abs(rows[i]));
    }
    divisor = std::max<std::int64_t>(divisor, 1);
    for (unsigned shift = 0;; shift += kDigitBits) {
      const bool highest = largest / divisor >> shift < std::int64_t{1} << kDigitBits;
      digits.push_back({column, shift, highest, divisor, divisor << shift});
      if (highest) break;
    }
  }
  return digits;
}

SegmentRows::SegmentRows(std::span<const std::int64_t> rows, std::size_t width)
    : width_(width), size_(rows.size() / width), digits_(digits_of(rows, width)) {
  std::int64_t largest = 1;
  for (std::size_t first = 0; first < digits_.size(); first += kMaxLanes * kNumbers) {
    const auto digits = std::span<const Digit>(digits_).subspan(
        first, std::min(digits_.size() - first, kMaxLanes * kNumbers));
    const auto lanes = base::divide_up(digits.size(), kNumbers);
    constexpr auto kLanesOfLine = sizeof(CacheLine) / sizeof(Lane);
    Panel panel{digits, lanes, std::vector<CacheLine>(size_ * lanes / kLanesOfLine + 1)};
    for (std::size_t i = 0; i < size_; ++i) {
      for (std::size_t k = 0; k < digits.size(); ++k) {
        const auto digit = digits[k].of(rows[i * width + digits[k].column]);
        largest = std::max(largest, std::abs(digit));
        panel.rows()[i * lanes + k / kNumbers][k % kNumbers] = static_cast<std::int16_t>(digit);
      }
    }
    panels_.push_back(std::move(panel));
  }
  safe_rows_ = static_cast<std::size_t>(std::numeric_limits<std::int16_t>::max() / largest);
}

// Calls `call` with the number of lanes as a constant, so that loops over them unroll.
template <class Call>
void SegmentRows::with_lanes(const Panel& panel, const Call& call) {
  if (panel.lanes == 1) return call.template operator()<1>();
  if (panel.lanes == 2) return call.template operator()<2>();
  base::check(panel.lanes == 3, "a panel of one to three lanes");
  call.template operator()<3>();
}

void SegmentRows::add_to(std::span<std::int64_t> sums, const Panel& panel, const Lane* lanes) {
  for (std::size_t k = 0; k < panel.digits.size(); ++k) {
    const auto& digit = panel.digits[k];
    sums[digit.column] += lanes[k / kNumbers][k % kNumbers] * digit.unit;
  }
}

void SegmentRows::add_up(std::span<const std::uint32_t> numbers,
                         std::span<std::int64_t> sums) const {
  std::ranges::fill(sums, 0);
  for (const auto& panel : panels_) {
    for (std::size_t begin = 0; begin < numbers.size(); begin += safe_rows_) {
      const auto some = numbers.subspan(begin, std::min(safe_rows_, numbers.size() - begin));
      with_lanes(panel, [&]<std::size_t kLanes>() {
        Lane sum[kLanes] = {};
        for (const auto number : some) {
          const auto* row = panel.rows() + number * kLanes;
          for (std::size_t k = 0; k < kLanes; ++k) sum[k] += row[k];
        }
        add_to(sums, panel, sum);
      });
    }
  }
}

// Four rows at a time, for all samples: the sums of all subsets of the four are computed once, and
// a sample selects one by four bits.
void SegmentRows::add_up_by_bits(std::span<const std::uint64_t> bits,
                                 std::span<std::int64_t> sums) const {
  std::ranges::fill(sums, 0);
  const auto samples = sums.size() / width_;
  const auto block = safe_rows_ / kGroup * kGroup;
  for (const auto& panel : panels_) {
    with_lanes(panel, [&]<std::size_t kLanes>() {
      std::vector<Lane> sample_sums(samples * kLanes);
      for (std::size_t begin = 0; begin < size_; begin += block) {
        std::ranges::fill(sample_sums, Lane{});
        const auto end = std::min(size_, begin + block);
        for (auto first = begin; first < end; first += kGroup) {
          const auto rows = std::min(kGroup, end - first);
          Lane of_four[16][kLanes] = {};
          for (std::size_t set = 1; set < std::size_t{1} << rows; ++set) {
            const auto last = static_cast<std::size_t>(__builtin_ctzll(set));
            const auto* row = panel.rows() + (first + last) * kLanes;
            for (std::size_t k = 0; k < kLanes; ++k)
              of_four[set][k] = of_four[set & (set - 1)][k] + row[k];
          }
          const unsigned wanted = (1U << rows) - 1;
          for (std::size_t s = 0; s < samples; ++s) {
            const auto* some = of_four[nibble(bits, s * size_ + first) & wanted];
            for (std::size_t k = 0; k < kLanes; ++k) sample_sums[s * kLanes + k] += some[k];
          }
        }
        for (std::size_t s = 0; s < samples; ++s)
          add_to(sums.subspan(s * width_, width_), panel, &sample_sums[s * kLanes]);
      }
    });
  }
}

}  // namespace awend::metrics
