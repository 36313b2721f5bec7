#include "metrics/statistics/swaps.hpp"

#include <cmath>

#include "metrics/real_rows.hpp"
#include "metrics/statistics/segment_rows.hpp"

namespace awend::metrics {
namespace {

std::vector<std::int64_t> rows_apart(std::span<const std::int64_t> rows,
                                     std::span<const std::int64_t> others) {
  std::vector<std::int64_t> difference(rows.begin(), rows.end());
  for (std::size_t i = 0; i < others.size(); ++i) difference[i] -= others[i];
  return difference;
}

// The first system loses what the other one gains, so one sum of differences is sufficient.
class WholeSwaps : public Swaps {
 public:
  WholeSwaps(const CorpusStatistics& statistics, const Metric& metric, std::size_t first,
             std::size_t other)
      : metric_(metric),
        first_(statistics.sums[first]),
        other_(statistics.sums[other]),
        table_(rows_apart(statistics.rows[first], statistics.rows[other]), metric.width()) {}

  std::vector<double> differences(std::span<const std::uint64_t> bits,
                                  std::size_t samples) const override {
    const auto width = metric_.width();
    std::vector<std::int64_t> kept(samples * width);
    table_.add_up_by_bits(bits, kept);
    std::vector<double> all;
    for (std::size_t s = 0; s < samples; ++s) {
      std::vector<std::int64_t> mine(other_.begin(), other_.end());
      std::vector<std::int64_t> theirs(first_.begin(), first_.end());
      for (std::size_t k = 0; k < width; ++k) {
        mine[k] += kept[s * width + k];
        theirs[k] -= kept[s * width + k];
      }
      all.push_back(std::abs(metric_.value(mine) - metric_.value(theirs)));
    }
    return all;
  }

 private:
  const Metric& metric_;
  std::span<const std::int64_t> first_, other_;
  SegmentRows table_;
};

class RealSwaps : public Swaps {
 public:
  RealSwaps(const CorpusStatistics& statistics, const Metric& metric, std::size_t first,
            std::size_t other)
      : metric_(metric),
        first_(statistics.rows[first], metric.width()),
        other_(statistics.rows[other], metric.width()) {}

  std::vector<double> differences(std::span<const std::uint64_t> bits,
                                  std::size_t samples) const override {
    std::vector<double> all;
    for (std::size_t s = 0; s < samples; ++s) {
      const auto first = first_.split(bits, s * first_.size());
      const auto other = other_.split(bits, s * other_.size());
      all.push_back(
          std::abs(value(first.chosen, other.others) - value(first.others, other.chosen)));
    }
    return all;
  }

 private:
  double value(std::span<const double> some, std::span<const double> rest) const {
    std::vector<std::int64_t> sums;
    for (std::size_t k = 0; k < some.size(); ++k) sums.push_back(bits_of(some[k] + rest[k]));
    return metric_.value(sums);
  }

  const Metric& metric_;
  RealRows first_, other_;
};

}  // namespace

std::unique_ptr<Swaps> make_swaps(const CorpusStatistics& statistics, const Metric& metric,
                                  std::size_t first, std::size_t other) {
  if (metric.has_real_rows()) return std::make_unique<RealSwaps>(statistics, metric, first, other);
  return std::make_unique<WholeSwaps>(statistics, metric, first, other);
}

}  // namespace awend::metrics
