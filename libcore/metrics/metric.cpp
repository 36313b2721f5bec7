#include "metrics/metric.hpp"

#include "base/error.hpp"
#include "metrics/measure.hpp"
#include "metrics/python_space.hpp"

namespace awend::metrics {
namespace {

using Lines = std::span<const std::string>;

Score score_of(const Metric& metric, Lines hypotheses, std::span<const Lines> references) {
  if (references.empty()) throw base::UsageError("no references are given");
  for (const auto lines : references) {
    if (lines.size() == hypotheses.size()) continue;
    throw base::UsageError(
        base::concat(hypotheses.size(), " hypotheses, but ", lines.size(), " references"));
  }
  const auto worker = metric.make_worker();
  const auto text_of = [&](std::string_view line) {
    return metric.reads_whole_lines() ? line : python_rstrip(line);
  };
  std::vector<std::int64_t> row(metric.width()), sums(metric.width());
  std::vector<std::string_view> of_line(references.size());
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    for (std::size_t k = 0; k < references.size(); ++k) of_line[k] = text_of(references[k][i]);
    worker->set_references(of_line);
    worker->measure(text_of(hypotheses[i]), row);
    add_rows(metric, row, sums);
  }
  return metric.score(sums);
}

class PairwiseWorker : public PairwiseScorer {
 public:
  explicit PairwiseWorker(const Metric& metric)
      : metric_(metric), worker_(metric.make_worker()), row_(metric.width()) {}

  void score(std::span<const std::string_view> hypotheses,
             std::span<const std::string_view> references, std::span<double> values) override {
    for (std::size_t k = 0; k < references.size(); ++k) {
      worker_->set_references(references.subspan(k, 1));
      for (std::size_t i = 0; i < hypotheses.size(); ++i) {
        worker_->measure(hypotheses[i], row_);
        values[i * references.size() + k] = metric_.value(row_);
      }
    }
  }

 private:
  const Metric& metric_;
  std::unique_ptr<MetricWorker> worker_;
  std::vector<std::int64_t> row_;
};

}  // namespace

std::unique_ptr<PairwiseScorer> Metric::make_pairwise_scorer() const {
  return std::make_unique<PairwiseWorker>(*this);
}

Score Metric::score(Lines hypotheses, Lines references) const {
  return score_of(*this, hypotheses, {&references, 1});
}

Score Metric::score(Lines hypotheses, std::span<const std::vector<std::string>> references) const {
  return score_of(*this, hypotheses, std::vector<Lines>(references.begin(), references.end()));
}

}  // namespace awend::metrics
