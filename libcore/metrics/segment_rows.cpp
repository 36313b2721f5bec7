#include "metrics/segment_rows.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "base/error.hpp"

namespace awend::metrics {
namespace {

constexpr std::size_t kGroup = 4;  // rows whose 16 sums are made before they are asked for

// Four bits of a stream, from any place; behind its end there are none.
unsigned nibble(std::span<const std::uint64_t> bits, std::size_t place) {
  const auto shift = place % 64;
  auto four = bits[place / 64] >> shift;
  if (shift > 60 && place / 64 + 1 < bits.size()) four |= bits[place / 64 + 1] << (64 - shift);
  return four & 15;
}

}  // namespace

SegmentRows::SegmentRows(std::span<const std::int32_t> rows, std::size_t width)
    : width_(width), size_(rows.size() / width) {
  std::int32_t most = 1;
  for (const auto number : rows) most = std::max(most, std::abs(number));
  safe_rows_ = static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max() / most);
  for (std::size_t first = 0; first < width; first += kMaxLanes * kNumbers) {
    const auto columns = std::min(width - first, kMaxLanes * kNumbers);
    const auto lanes = (columns + kNumbers - 1) / kNumbers;
    Panel panel{first, lanes, std::vector<Lane>(size_ * lanes, Lane{})};
    for (std::size_t i = 0; i < size_; ++i) {
      for (std::size_t k = 0; k < columns; ++k)
        panel.rows[i * lanes + k / kNumbers][k % kNumbers] = rows[i * width + first + k];
    }
    panels_.push_back(std::move(panel));
  }
}

// Calls `call` with the number of lanes as a constant, so that loops over them unroll.
template <class Call>
void SegmentRows::with_lanes(const Panel& panel, const Call& call) {
  if (panel.lanes == 1) return call.template operator()<1>();
  if (panel.lanes == 2) return call.template operator()<2>();
  base::check(panel.lanes == 3, "a panel of one to three lanes");
  call.template operator()<3>();
}

void SegmentRows::add_to(std::span<std::int64_t> sums, const Panel& panel,
                         const Lane* lanes) const {
  const auto columns = std::min(width_ - panel.first, panel.lanes * kNumbers);
  for (std::size_t k = 0; k < columns; ++k)
    sums[panel.first + k] += lanes[k / kNumbers][k % kNumbers];
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
          const auto* row = panel.rows.data() + number * kLanes;
          for (std::size_t k = 0; k < kLanes; ++k) sum[k] += row[k];
        }
        add_to(sums, panel, sum);
      });
    }
  }
}

// Four rows at a time, for all samples: the sums of any of the four are made once, and a sample
// picks its own by four bits.
void SegmentRows::add_up_by_bits(std::span<const std::uint64_t> bits,
                                 std::span<std::int64_t> sums) const {
  std::ranges::fill(sums, 0);
  const auto samples = sums.size() / width_;
  const auto block = std::max(safe_rows_ / kGroup * kGroup, kGroup);
  base::check(safe_rows_ >= kGroup, "a segment of less than 2^29 words");
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
            const auto* row = panel.rows.data() + (first + last) * kLanes;
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
