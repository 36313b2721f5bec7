#include "metrics/by_length.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "metrics/python_space.hpp"

namespace awend::metrics {
namespace {

class ReferenceWorker : public MetricWorker {
 public:
  void set_references(std::span<const std::string_view> references) override {
    length_ = count_words(references.front());
  }
  void measure(std::string_view, std::span<std::int64_t> statistics) override {
    statistics[0] = length_;
  }

 private:
  std::int64_t length_ = 0;
};

class SourceWorker : public MetricWorker {
 public:
  void prepare(const CorpusChunk& chunk) override {
    base::check(chunk.source.has_value(), "the corpus has a source");
    lengths_.clear();
    for (std::size_t i = 0; i < chunk.size(); ++i)
      lengths_.insert(lengths_.end(), chunk.systems.size(), count_words((*chunk.source)[i]));
    next_ = 0;
  }
  void set_references(std::span<const std::string_view> /*references*/) override {}
  void measure(std::string_view, std::span<std::int64_t> statistics) override {
    statistics[0] = lengths_.at(next_++);
  }

 private:
  std::vector<std::int64_t> lengths_;  // of the segments, each for all systems
  std::size_t next_ = 0;
};

}  // namespace

Score SegmentLength::score(std::span<const std::int64_t> sums) const {
  return {.value = static_cast<double>(sums[0])};
}

std::unique_ptr<MetricWorker> SegmentLength::make_worker() const {
  if (of_ == Of::kSource) return std::make_unique<SourceWorker>();
  return std::make_unique<ReferenceWorker>();
}

std::string LengthGroup::name() const {
  return last ? base::concat(first, "-", *last) : base::concat(first, "-");
}

std::vector<LengthGroup> by_length(const CorpusStatistics& statistics,
                                   std::span<const std::unique_ptr<Metric>> metrics,
                                   std::span<const std::int64_t> lengths,
                                   std::span<const std::int64_t> bounds) {
  base::check(lengths.size() == statistics.segments, "each segment has a length");
  std::vector<LengthGroup> groups(1);
  for (const auto bound : bounds) {
    groups.back().last = bound - 1;
    groups.push_back({.first = bound});
  }
  std::vector<std::size_t> group_of;
  for (const auto length : lengths) {
    const auto above = std::ranges::upper_bound(bounds, length) - bounds.begin();
    group_of.push_back(static_cast<std::size_t>(above));
    ++groups[group_of.back()].segments;
  }
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    const auto width = metrics[m]->width();
    for (std::size_t s = 0; s < statistics.systems; ++s) {
      const std::span<const std::int64_t> rows(statistics.rows[statistics.place(m, s)]);
      std::vector<std::vector<std::int64_t>> sums(groups.size(), std::vector<std::int64_t>(width));
      for (std::size_t i = 0; i < lengths.size(); ++i)
        add_rows(*metrics[m], rows.subspan(i * width, width), sums[group_of[i]]);
      for (std::size_t g = 0; g < groups.size(); ++g)
        groups[g].scores.push_back(groups[g].segments > 0 ? metrics[m]->value(sums[g]) : 0);
    }
  }
  std::erase_if(groups, [](const LengthGroup& group) { return group.segments == 0; });
  return groups;
}

}  // namespace awend::metrics
