#include "metrics/rerank/line_search.hpp"

#include <algorithm>
#include <limits>

namespace awend::metrics {
namespace {

/// The sum of a candidate along the line.
struct Ray {
  std::size_t candidate;
  double start, slope;
};

/// From this position on, the list chooses another candidate.
struct Change {
  double position;
  std::size_t before, after;
};

double crossing(const Ray& a, const Ray& b) {
  return (a.start - b.start) / (b.slope - a.slope);
}

class Sweep {
 public:
  Sweep(const TuningSet& set, const Metric& metric)
      : set_(set), metric_(metric), sums_(metric.width()) {}

  /// Adds the upper envelope of a list, from minus infinity on.
  void add_list(std::vector<Ray>& rays) {
    std::ranges::stable_sort(rays, [](const Ray& a, const Ray& b) {
      return a.slope != b.slope ? a.slope < b.slope : a.start > b.start;
    });
    envelope_.clear();
    for (const auto& ray : rays) {
      if (!envelope_.empty() && envelope_.back().slope == ray.slope) continue;
      while (envelope_.size() > 1 &&
             crossing(envelope_.back(), ray) <=
                 crossing(envelope_[envelope_.size() - 2], envelope_.back()))
        envelope_.pop_back();
      envelope_.push_back(ray);
    }
    add(envelope_.front().candidate, 1);
    for (std::size_t i = 1; i < envelope_.size(); ++i) {
      changes_.push_back({crossing(envelope_[i - 1], envelope_[i]), envelope_[i - 1].candidate,
                          envelope_[i].candidate});
    }
  }

  Point best() {
    std::ranges::stable_sort(changes_, {}, &Change::position);
    constexpr auto kInfinity = std::numeric_limits<double>::infinity();
    double begin = -kInfinity;
    for (std::size_t i = 0; i <= changes_.size(); ++i) {
      const auto end = i < changes_.size() ? changes_[i].position : kInfinity;
      if (end > begin) consider(begin, end);
      if (i == changes_.size()) break;
      add(changes_[i].before, -1);
      add(changes_[i].after, 1);
      begin = end;
    }
    return best_;
  }

 private:
  void add(std::size_t candidate, std::int64_t sign) {
    const auto row = std::span(set_.statistics).subspan(candidate * sums_.size(), sums_.size());
    for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += sign * row[i];
  }

  void consider(double begin, double end) {
    const auto score = metric_.value(sums_);
    const bool has_zero = begin < 0 && end > 0;
    if (has_best_ && (score < best_.score || (score == best_.score && !has_zero))) return;
    has_best_ = true;
    best_ = {has_zero ? 0 : inside(begin, end), score};
  }

  /// A point of the interval, which may be unbounded on one side.
  static double inside(double begin, double end) {
    constexpr auto kInfinity = std::numeric_limits<double>::infinity();
    if (begin == -kInfinity) return 2 * std::min(end, 0.0) - 1;
    if (end == kInfinity) return 2 * std::max(begin, 0.0) + 1;
    return begin + (end - begin) / 2;
  }

  const TuningSet& set_;
  const Metric& metric_;
  std::vector<std::int64_t> sums_;
  std::vector<Ray> envelope_;
  std::vector<Change> changes_;
  Point best_;
  bool has_best_ = false;
};

}  // namespace

Point best_on_line(const TuningSet& set, const Metric& metric, std::span<const double> weights,
                   std::span<const double> direction) {
  const auto& features = set.features;
  Sweep sweep(set, metric);
  std::vector<Ray> rays;
  for (std::size_t list = 0; list < features.lists(); ++list) {
    rays.clear();
    for (auto i = features.begin(list); i < features.end(list); ++i)
      rays.push_back({i, features.sum(i, weights), features.sum(i, direction)});
    sweep.add_list(rays);
  }
  return sweep.best();
}

double score_of_choices(const TuningSet& set, const Metric& metric,
                        std::span<const double> weights) {
  const auto width = metric.width();
  std::vector<std::int64_t> sums(width);
  for (std::size_t list = 0; list < set.features.lists(); ++list) {
    const auto best = set.features.best(list, weights);
    for (std::size_t i = 0; i < width; ++i) sums[i] += set.statistics[best * width + i];
  }
  return metric.value(sums);
}

}  // namespace awend::metrics
