#include "score_by_length.hpp"

#include "base/numbers.hpp"
#include "metrics/by_length.hpp"
#include "metrics/score_lines.hpp"

namespace awend::tools {
namespace {

std::vector<std::int64_t> bounds_of(const cli::Options& options) {
  std::vector<std::int64_t> bounds;
  for (const auto& part : options.last_list("length-bounds")) {
    const auto bound = base::find_number<std::int64_t>(part);
    if (!bound || *bound <= (bounds.empty() ? 0 : bounds.back()))
      throw base::UsageError("option '--length-bounds': expected increasing numbers above 0");
    bounds.push_back(*bound);
  }
  return bounds;
}

}  // namespace

std::string scores_by_length(const cli::Options& options, Request& request,
                             metrics::CorpusReader& corpus, const std::vector<std::string>& names) {
  const auto bounds = bounds_of(options);
  const auto count = request.metrics.size();
  using Of = metrics::SegmentLength::Of;
  request.metrics.push_back(std::make_unique<metrics::SegmentLength>(
      options.has("source") ? Of::kSource : Of::kReference));
  const auto statistics = measure_corpus(corpus, request.metrics, request.measuring,
                                         metrics::CorpusStatistics::Keep::kRows);
  if (statistics.segments == 0) base::fail(corpus.name(), ": no lines to score");
  const auto& lengths = statistics.rows[statistics.place(count, 0)];
  const auto groups =
      metrics::by_length(statistics, std::span(request.metrics).first(count), lengths, bounds);
  metrics::SystemsReport report;
  for (const auto& name : names) report.systems.push_back({name, {}});
  for (std::size_t m = 0; m < count; ++m) report.metrics.push_back(request.metrics[m]->name());
  if (request.format == Format::kTsv) return score_lines(report, groups);
  if (request.format == Format::kJson) return length_json(report, groups, request.text.digits);
  return length_table(report, groups, request.text.digits);
}

}  // namespace awend::tools
