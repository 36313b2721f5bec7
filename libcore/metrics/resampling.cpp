#include "metrics/resampling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "metrics/numpy_random.hpp"
#include "metrics/segment_rows.hpp"

namespace awend::metrics {
namespace {

using Scores = std::vector<std::vector<double>>;  // [place][sample]

// Samples whose bits are drawn together: then a draw of 64 bits never belongs to two handfuls.
constexpr std::size_t kTogether = 64;

void check_size(const CorpusStatistics& statistics) {
  if (statistics.segments > std::numeric_limits<std::uint32_t>::max() - 1)
    base::fail("too many segments to resample: ", statistics.segments);
}

// The sums of two systems after swaps: what the first one lost, the other has won.
double difference_after(const Metric& metric, std::span<const std::int64_t> first,
                        std::span<const std::int64_t> other, std::span<const std::int64_t> kept) {
  std::vector<std::int64_t> mine(other.begin(), other.end()), theirs(first.begin(), first.end());
  for (std::size_t k = 0; k < kept.size(); ++k) {
    mine[k] += kept[k];
    theirs[k] -= kept[k];
  }
  return std::abs(metric.value(mine) - metric.value(theirs));
}

std::vector<std::int64_t> differences(std::span<const std::int64_t> rows,
                                      std::span<const std::int64_t> others) {
  std::vector<std::int64_t> difference(rows.begin(), rows.end());
  for (std::size_t i = 0; i < others.size(); ++i) difference[i] -= others[i];
  return difference;
}

}  // namespace

Scores bootstrap(const CorpusStatistics& statistics, const Metrics& metrics,
                 const Resampling& resampling) {
  check_size(statistics);
  std::vector<SegmentRows> tables;
  for (std::size_t i = 0; i < statistics.rows.size(); ++i)
    tables.emplace_back(statistics.rows[i], metrics[i / statistics.systems]->width());
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
      std::vector<std::int64_t> sums(tables[i].width());
      tables[i].add_up(numbers, sums);
      of_sample.push_back(metrics[i / statistics.systems]->resampled_value(sums));
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
  std::vector<std::optional<SegmentRows>> tables(statistics.rows.size());
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    const auto& first = statistics.rows[statistics.place(m, 0)];
    for (std::size_t s = 1; s < statistics.systems; ++s) {
      const auto place = statistics.place(m, s);
      tables[place].emplace(differences(first, statistics.rows[place]), metrics[m]->width());
    }
  }
  Scores scores(tables.size());
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
    Scores of_samples(tables.size());
    for (std::size_t i = 0; i < tables.size(); ++i) {
      if (!tables[i]) continue;
      const auto width = tables[i]->width();
      const auto metric = i / statistics.systems;
      std::vector<std::int64_t> kept(bits.samples * width);
      tables[i]->add_up_by_bits(bits.words, kept);
      for (std::size_t s = 0; s < bits.samples; ++s) {
        of_samples[i].push_back(
            difference_after(*metrics[metric], statistics.sums[statistics.place(metric, 0)],
                             statistics.sums[i], std::span(kept).subspan(s * width, width)));
      }
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
