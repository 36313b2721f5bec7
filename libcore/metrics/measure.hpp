// All metrics over all systems of a corpus, on several threads: the statistics of every segment, in
// the order of the segments.
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

enum class EmptyReferences { kCount, kSkip };  // an empty line of a reference file, or none at all

struct MeasureSettings {
  unsigned threads = 1;
  EmptyReferences empty_references = EmptyReferences::kCount;
  /// Called now and then with the number of segments that are done, and of the bytes read for them.
  std::function<void(std::uint64_t segments, std::uint64_t bytes)> progress = {};
};

/// What was measured of some segments in a row.
struct Measured {
  std::size_t segments = 0;
  std::size_t systems = 0;
  std::vector<std::size_t> references;            // how many each segment has
  std::vector<std::vector<std::int64_t>> rows;    // [metric * systems + system], a row a segment
  std::vector<std::size_t> tokenized;             // segments of each system that end in " ."
  std::uint64_t end_segments = 0, end_bytes = 0;  // of the corpus, done and read by then
};

/// Calls `take` for all of the corpus, piece by piece.  Error for a segment that no reference is
/// left of.
void measure(CorpusReader& corpus, const Metrics& metrics, const MeasureSettings& settings,
             const std::function<void(Measured)>& take);

/// Adds the metric's rows, in their order, to the sums.
void add_rows(const Metric& metric, std::span<const std::int64_t> rows,
              std::span<std::int64_t> sums);

/// How many references segments have.
struct ReferenceCount {
  std::size_t min = 0, max = 0;
  void add(std::size_t count);
};

/// The sums over a corpus, and the rows where they are asked for.
struct CorpusStatistics {
  enum class Keep { kSums, kRows };
  std::size_t systems = 0;
  std::uint64_t segments = 0;
  ReferenceCount references;
  std::vector<std::vector<std::int64_t>> sums;  // [metric * systems + system]
  std::vector<std::vector<std::int64_t>> rows;  // likewise, a row a segment
  std::vector<std::uint64_t> tokenized;         // by system

  std::size_t place(std::size_t metric, std::size_t system) const {
    return metric * systems + system;
  }
};

CorpusStatistics measure_corpus(CorpusReader& corpus, const Metrics& metrics,
                                const MeasureSettings& settings, CorpusStatistics::Keep keep);

}  // namespace awend::metrics
