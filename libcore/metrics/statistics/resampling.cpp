#include "metrics/statistics/resampling.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <variant>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "metrics/real_rows.hpp"
#include "metrics/statistics/numpy_random.hpp"
#include "metrics/statistics/segment_rows.hpp"
#include "metrics/statistics/swaps.hpp"

namespace awend::metrics {
namespace {

using Scores = std::vector<std::vector<double>>;  // [place][sample]

// Samples whose bits are generated together, so that 64 random bits never belong to two chunks.
constexpr std::size_t kTogether = 64;

using Table = std::variant<SegmentRows, RealRows>;

Table table_of(const Metric& metric, std::span<const std::int64_t> rows) {
  if (metric.has_real_rows()) return RealRows(rows, metric.width());
  return SegmentRows(rows, metric.width());
}

void check_size(const CorpusStatistics& statistics) {
  if (statistics.segments > std::numeric_limits<std::uint32_t>::max() - 1)
    base::fail("too many segments to resample: ", statistics.segments);
}

}  // namespace

Scores bootstrap(const CorpusStatistics& statistics, const Metrics& metrics,
                 const Resampling& resampling) {
  check_size(statistics);
  std::vector<Table> tables;
  for (std::size_t i = 0; i < statistics.rows.size(); ++i)
    tables.push_back(table_of(*metrics[i / statistics.systems], statistics.rows[i]));
  Scores scores(tables.size());
  NumpyRandom random(resampling.seed);
  const auto segments = static_cast<std::uint32_t>(statistics.segments);
  std::uint64_t drawn = 0;

  using Numbers = std::vector<std::uint32_t>;
  base::Stream<Numbers, std::vector<double>> stream;
  stream.produce = [&]() -> std::optional<Numbers> {
    if (drawn++ == resampling.samples) return std::nullopt;
    Numbers numbers(segments);
    for (auto& number : numbers) number = random.below(segments);
    return numbers;
  };
  stream.transform = [&](unsigned, const Numbers& numbers) {
    std::vector<double> of_sample;
    for (std::size_t i = 0; i < tables.size(); ++i) {
      const auto& metric = *metrics[i / statistics.systems];
      std::vector<std::int64_t> sums(metric.width());
      std::visit([&](const auto& table) { table.add_up(numbers, sums); }, tables[i]);
      of_sample.push_back(metric.resampled_value(sums));
    }
    return of_sample;
  };
  stream.consume = [&](const std::vector<double>& of_sample) {
    for (std::size_t i = 0; i < of_sample.size(); ++i) scores[i].push_back(of_sample[i]);
    if (resampling.work.progress) resampling.work.progress(scores.front().size());
  };
  base::ordered_map(resampling.work.threads, stream);
  return scores;
}

Scores swapped_differences(const CorpusStatistics& statistics, const Metrics& metrics,
                           const Resampling& resampling) {
  check_size(statistics);
  std::vector<std::unique_ptr<Swaps>> swaps(statistics.rows.size());
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    const auto& metric = *metrics[m];
    for (std::size_t s = 1; s < statistics.systems; ++s) {
      const auto first = statistics.place(m, 0), other = statistics.place(m, s);
      swaps[other] = make_swaps(statistics, metric, first, other);
    }
  }
  Scores scores(swaps.size());
  NumpyRandom random(resampling.seed);
  std::uint64_t drawn = 0;

  struct Bits {
    std::size_t samples;
    std::vector<std::uint64_t> words;
  };
  base::Stream<Bits, Scores> stream;
  stream.produce = [&]() -> std::optional<Bits> {
    if (drawn == resampling.samples) return std::nullopt;
    const auto samples = std::min<std::uint64_t>(kTogether, resampling.samples - drawn);
    drawn += samples;
    Bits bits{samples, std::vector<std::uint64_t>((samples * statistics.segments + 63) / 64)};
    for (auto& word : bits.words) word = random.next64();
    return bits;
  };
  stream.transform = [&](unsigned, const Bits& bits) {
    Scores of_samples(swaps.size());
    for (std::size_t i = 0; i < swaps.size(); ++i) {
      if (swaps[i]) of_samples[i] = swaps[i]->differences(bits.words, bits.samples);
    }
    return of_samples;
  };
  stream.consume = [&](const Scores& of_samples) {
    for (std::size_t i = 0; i < scores.size(); ++i)
      scores[i].insert(scores[i].end(), of_samples[i].begin(), of_samples[i].end());
    if (resampling.work.progress) resampling.work.progress(scores.back().size());
  };
  base::ordered_map(resampling.work.threads, stream);
  return scores;
}

}  // namespace awend::metrics
