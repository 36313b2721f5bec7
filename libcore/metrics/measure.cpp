#include "metrics/measure.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "metrics/python_space.hpp"
#include "metrics/real_rows.hpp"

namespace awend::metrics {
namespace {

using Workers = std::vector<std::unique_ptr<MetricWorker>>;

// As base::with_name(), with a name that is made only for an error.
template <class Call>
void at_segment(const std::string& file, std::uint64_t number, const Call& call) {
  try {
    call();
  } catch (const base::Error& error) {
    base::fail_with_name(base::concat(file, ":", number), error);
  }
}

class ChunkMeasurer {
 public:
  ChunkMeasurer(const CorpusReader& corpus, const Metrics& metrics, EmptyReferences empty)
      : corpus_(corpus), metrics_(metrics), empty_(empty) {
    for (const auto& metric : metrics) {
      workers_.push_back(metric->make_worker());
      needs_references_ = needs_references_ || metric->needs_references();
    }
  }

  Measured operator()(const CorpusChunk& chunk) {
    Measured measured{.segments = chunk.size(),
                      .systems = chunk.systems.size(),
                      .references = {},
                      .rows = {},
                      .tokenized = {},
                      .end_segments = chunk.first_number - 1 + chunk.size(),
                      .end_bytes = chunk.end_bytes};
    for (const auto& metric : metrics_) {
      measured.rows.insert(measured.rows.end(), measured.systems,
                           std::vector<std::int64_t>(chunk.size() * metric->width()));
    }
    for (const auto& worker : workers_) worker->prepare(chunk);
    for (std::size_t i = 0; i < chunk.size(); ++i) measure_segment(chunk, i, measured);
    for (const auto& system : chunk.systems) {
      std::size_t count = 0;
      for (std::size_t i = 0; i < system.size(); ++i)
        count += python_rstrip(system[i]).ends_with(" .") ? 1 : 0;
      measured.tokenized.push_back(count);
    }
    return measured;
  }

 private:
  void measure_segment(const CorpusChunk& chunk, std::size_t segment, Measured& measured) {
    references_.clear();
    whole_references_.clear();
    std::size_t first = 0;  // of the references
    for (std::size_t i = 0; i < chunk.references.size(); ++i) {
      const auto whole = chunk.references[i][segment];
      const auto line = python_rstrip(whole);
      if (empty_ == EmptyReferences::kSkip && line.empty()) continue;
      if (references_.empty()) first = i;
      references_.push_back(line);
      whole_references_.push_back(whole);
    }
    if (references_.empty() && needs_references_)
      base::fail("segment ", chunk.first_number + segment, " has no reference");
    measured.references.push_back(references_.size());
    for (std::size_t m = 0; m < metrics_.size(); ++m) {
      const bool whole = metrics_[m]->reads_whole_lines();
      at_segment(references_.empty() ? corpus_.name() : corpus_.reference_name(first),
                 chunk.first_number + segment,
                 [&] { workers_[m]->set_references(whole ? whole_references_ : references_); });
      const auto width = metrics_[m]->width();
      for (std::size_t system = 0; system < measured.systems; ++system) {
        auto& rows = measured.rows[m * measured.systems + system];
        const auto line = chunk.systems[system][segment];
        at_segment(corpus_.system_name(system), chunk.first_number + segment, [&] {
          workers_[m]->measure(whole ? line : python_rstrip(line),
                               std::span(rows).subspan(segment * width, width));
        });
      }
    }
  }

  const CorpusReader& corpus_;  // only its names, because another thread reads it
  const Metrics& metrics_;
  EmptyReferences empty_;
  bool needs_references_ = false;
  Workers workers_;
  std::vector<std::string_view> references_, whole_references_;
};

}  // namespace

void add_rows(const Metric& metric, std::span<const std::int64_t> rows,
              std::span<std::int64_t> sums) {
  if (metric.has_real_rows()) return add_real_rows(rows, sums);
  for (std::size_t begin = 0; begin < rows.size(); begin += sums.size()) {
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += rows[begin + i];
  }
}

void measure(CorpusReader& corpus, const Metrics& metrics, const MeasureSettings& settings,
             const std::function<void(Measured)>& take) {
  std::vector<ChunkMeasurer> measurers;
  for (unsigned i = 0; i < std::max(1U, settings.threads); ++i)
    measurers.emplace_back(corpus, metrics, settings.empty_references);
  base::Stream<CorpusChunk, Measured> stream;
  stream.produce = [&] { return corpus.next(); };
  stream.transform = [&](unsigned worker, const CorpusChunk& chunk) {
    return measurers[worker](chunk);
  };
  stream.consume = [&](Measured measured) {
    const auto segments = measured.end_segments, bytes = measured.end_bytes;
    take(std::move(measured));
    if (settings.progress) settings.progress(segments, bytes);
  };
  base::ordered_map(settings.threads, stream);
}

void ReferenceCount::add(std::size_t count) {
  min = max == 0 ? count : std::min(min, count);
  max = std::max(max, count);
}

CorpusStatistics measure_corpus(CorpusReader& corpus, const Metrics& metrics,
                                const MeasureSettings& settings, CorpusStatistics::Keep keep) {
  CorpusStatistics statistics;
  statistics.systems = corpus.systems();
  statistics.tokenized.resize(statistics.systems);
  for (const auto& metric : metrics) {
    statistics.sums.insert(statistics.sums.end(), statistics.systems,
                           std::vector<std::int64_t>(metric->width()));
  }
  statistics.rows.resize(statistics.sums.size());
  measure(corpus, metrics, settings, [&](const Measured& measured) {
    statistics.segments += measured.segments;
    for (const auto count : measured.references) statistics.references.add(count);
    for (std::size_t i = 0; i < measured.rows.size(); ++i) {
      add_rows(*metrics[i / statistics.systems], measured.rows[i], statistics.sums[i]);
      if (keep == CorpusStatistics::Keep::kRows) {
        statistics.rows[i].insert(statistics.rows[i].end(), measured.rows[i].begin(),
                                  measured.rows[i].end());
      }
    }
    for (std::size_t i = 0; i < statistics.systems; ++i)
      statistics.tokenized[i] += measured.tokenized[i];
  });
  return statistics;
}

}  // namespace awend::metrics
