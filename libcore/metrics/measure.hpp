// All metrics for all systems of a corpus, on several threads: the statistics of every segment, in
// order.
//
// Test: tests/unit/metrics/corpus_test.cpp.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "metrics/corpus.hpp"
#include "metrics/metric.hpp"

namespace awend::metrics {

using Metrics = std::vector<std::unique_ptr<Metric>>;

enum class EmptyReferences {
  kCount,
  kSkip
};  // an empty line of a reference file, or a missing one

struct MeasureSettings {
  unsigned threads = 1;
  EmptyReferences empty_references = EmptyReferences::kCount;
  /// Called regularly with the numbers of completed segments and of the bytes read for them.
  std::function<void(std::uint64_t segments, std::uint64_t bytes)> progress = {};
};

/// The statistics of consecutive segments.
struct Measured {
  std::size_t segments = 0;
  std::size_t systems = 0;
  std::vector<std::size_t> references;          // number per segment
  std::vector<std::vector<std::int64_t>> rows;  // [metric * systems + system], one row per segment
  std::vector<std::size_t> tokenized;           // segments of each system that end in " ."
  std::uint64_t end_segments = 0, end_bytes = 0;  // of the corpus, done and read by then
};

/// Calls `take` for the whole corpus, chunk by chunk.  Error for a segment without any reference.
void measure(CorpusReader& corpus, const Metrics& metrics, const MeasureSettings& settings,
             const std::function<void(Measured)>& take);

/// Adds the rows of the metric, in order, to the sums.
void add_rows(const Metric& metric, std::span<const std::int64_t> rows,
              std::span<std::int64_t> sums);

/// The numbers of references per segment.
struct ReferenceCount {
  std::size_t min = 0, max = 0;
  void add(std::size_t count);
};

/// The sums over a corpus, and the rows if requested.
struct CorpusStatistics {
  enum class Keep { kSums, kRows };
  std::size_t systems = 0;
  std::uint64_t segments = 0;
  ReferenceCount references;
  std::vector<std::vector<std::int64_t>> sums;  // [metric * systems + system]
  std::vector<std::vector<std::int64_t>> rows;  // likewise, one row per segment
  std::vector<std::uint64_t> tokenized;         // by system

  std::size_t place(std::size_t metric, std::size_t system) const {
    return metric * systems + system;
  }
};

CorpusStatistics measure_corpus(CorpusReader& corpus, const Metrics& metrics,
                                const MeasureSettings& settings, CorpusStatistics::Keep keep);

}  // namespace awend::metrics
