#include "score_by_length.hpp"

#include "base/lines.hpp"
#include "base/numbers.hpp"
#include "filter_options.hpp"
#include "metrics/by_length.hpp"
#include "metrics/python_space.hpp"
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

std::vector<std::int64_t> source_lengths(const cli::Options& options, std::uint64_t segments) {
  base::LineReader lines(options.text("source"), invalid_utf8_of(options));
  std::vector<std::int64_t> lengths;
  for (std::string_view line; lines.next(line);) lengths.push_back(metrics::count_words(line));
  if (lengths.size() != segments) {
    base::fail(lines.name(), ": ", lengths.size(), " lines, but there are ", segments,
               " translations");
  }
  return lengths;
}

}  // namespace

std::string scores_by_length(const cli::Options& options, Request& request,
                             metrics::CorpusReader& corpus, const std::vector<std::string>& names) {
  const auto bounds = bounds_of(options);
  const auto count = request.metrics.size();
  const bool by_source = options.has("source");
  if (!by_source) request.metrics.push_back(std::make_unique<metrics::ReferenceLength>());
  const auto statistics = measure_corpus(corpus, request.metrics, request.measuring,
                                         metrics::CorpusStatistics::Keep::kRows);
  if (statistics.segments == 0) base::fail(corpus.name(), ": no lines to score");
  const auto lengths = by_source ? source_lengths(options, statistics.segments)
                                 : statistics.rows[statistics.place(count, 0)];
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
