#include "tests/bench/series.hpp"

#include <algorithm>
#include <cmath>

#include "base/concat.hpp"

namespace awend::bench {

void Series::add(const Bench& bench, const Cost& cost) {
  const double share = cost.shares > 0 ? cost.seconds / cost.shares * 1e6 : kUnknown;
  bench.report.row(base::concat(name_, " ", axis_, "=", std::lround(cost.size)),
                   {cost.seconds * 1e3, share, kUnknown, kUnknown, kUnknown});
  sizes_.push_back(std::log(cost.size));
  costs_.push_back(std::log(cost.seconds / std::max(cost.shares, 1.0)));
  counted_.push_back(std::log(cost.counted));
}

void Series::fit(const Bench& bench) const {
  if (sizes_.size() < 2) return;
  const std::size_t largest = sizes_.size() - std::min<std::size_t>(sizes_.size(), 3);
  bench.report.row(
      base::concat(name_, " over ", axis_),
      {kUnknown, kUnknown, slope(costs_, 0), slope(costs_, largest), slope(counted_, 0)});
}

// Of the straight line through the points from `first` on, by least squares.
double Series::slope(const std::vector<double>& values, std::size_t first) const {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (std::size_t i = first; i < sizes_.size(); ++i) {
    n += 1;
    x += sizes_[i];
    y += values[i];
    xx += sizes_[i] * sizes_[i];
    xy += sizes_[i] * values[i];
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

}  // namespace awend::bench
