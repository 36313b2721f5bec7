#include "metrics/statistics/significance.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "metrics/statistics/numpy_random.hpp"
#include "metrics/statistics/resampling.hpp"

namespace awend::metrics {
namespace {

using Scores = std::vector<std::vector<double>>;

// numpy adds eight partial sums in parallel, and halves sequences of more than 128 numbers.
double pairwise_sum(std::span<const double> numbers) {
  constexpr std::size_t kSums = 8, kBlock = 128;
  const auto size = numbers.size();
  if (size > kBlock) {
    const auto half = size / 2 / kSums * kSums;
    return pairwise_sum(numbers.first(half)) + pairwise_sum(numbers.subspan(half));
  }
  std::size_t i = 0;
  double sum = 0;
  if (size >= kSums) {
    double sums[kSums] = {};
    for (; i + kSums <= size; i += kSums) {
      for (std::size_t k = 0; k < kSums; ++k) sums[k] += numbers[i + k];
    }
    sum = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
  }
  for (; i < size; ++i) sum += numbers[i];
  return sum;
}

// That of which no sample exceeds the observed difference.
double least_p_value(std::size_t samples) {
  return 1 / (static_cast<double>(samples) + 1);
}

// A paired bootstrap compares the differences of samples with their mean.
double bootstrap_p_value(const std::vector<double>& first, const std::vector<double>& other,
                         double seen) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < first.size(); ++i)
    differences.push_back(std::abs(first[i] - other[i]));
  const auto mean = pairwise_mean(differences);
  for (auto& difference : differences) difference -= mean;
  return p_value(differences, seen);
}

void set_p_value(Comparison& comparison, double p_value, double seen, std::size_t samples) {
  comparison.p_value = p_value;
  comparison.is_equal = seen == 0 && p_value == least_p_value(samples);
}

void add_bootstrap(const Scores& samples, std::vector<SystemScores>& systems) {
  for (std::size_t s = 0; s < systems.size(); ++s) {
    for (std::size_t m = 0; m < systems[s].scores.size(); ++m) {
      auto& comparison = systems[s].scores[m];
      const auto& own = samples[m * systems.size() + s];
      comparison.confidence = confidence_of(own, pairwise_mean);
      if (s == 0) continue;
      const auto seen = std::abs(systems[0].scores[m].score - comparison.score);
      set_p_value(comparison, bootstrap_p_value(samples[m * systems.size()], own, seen), seen,
                  own.size());
    }
  }
}

void add_randomization(const Scores& differences, std::vector<SystemScores>& systems) {
  for (std::size_t s = 1; s < systems.size(); ++s) {
    for (std::size_t m = 0; m < systems[s].scores.size(); ++m) {
      const auto seen = std::abs(systems[0].scores[m].score - systems[s].scores[m].score);
      const auto& samples = differences[m * systems.size() + s];
      set_p_value(systems[s].scores[m], p_value(samples, seen), seen, samples.size());
    }
  }
}

Resampling resampling_of(const Sampling& sampling, const SampleWork& work) {
  return {sampling.samples, sampling.seed ? *sampling.seed : unpredictable_seed(), work};
}

}  // namespace

// The rounding errors are summed separately, and added at the end.
double exact_mean(const std::vector<double>& numbers) {
  double sum = 0, lost = 0;
  for (const auto number : numbers) {
    const auto next = sum + number;
    const auto taken = next - sum;
    lost += (sum - (next - taken)) + (number - taken);
    sum = next;
  }
  const auto count = static_cast<double>(numbers.size());
  const auto mean = (sum + lost) / count;
  const auto rest = std::fma(-mean, count, sum) + lost;
  return mean + rest / count;
}

double pairwise_mean(const std::vector<double>& numbers) {
  return pairwise_sum(numbers) / static_cast<double>(numbers.size());
}

Confidence confidence_of(std::vector<double> scores, double (*mean)(const std::vector<double>&)) {
  std::ranges::sort(scores);
  const auto outside = scores.size() / 40;  // 2.5 % on either side
  const auto low = scores[outside], high = scores[scores.size() - 1 - outside];
  return {mean(scores), (high - low) / 2};
}

double p_value(const std::vector<double>& differences, double seen) {
  const auto beyond = std::ranges::count_if(differences, [&](double d) { return d > seen; });
  return (static_cast<double>(beyond) + 1) / (static_cast<double>(differences.size()) + 1);
}

std::vector<Confidence> confidences(const CorpusStatistics& statistics, const Metrics& metrics,
                                    const Sampling& sampling, const SampleWork& work) {
  std::vector<Confidence> all;
  for (auto& scores : bootstrap(statistics, metrics, resampling_of(sampling, work)))
    all.push_back(confidence_of(std::move(scores), exact_mean));
  return all;
}

std::vector<SystemScores> compare_systems(const CorpusStatistics& statistics,
                                          const Metrics& metrics,
                                          const std::optional<Sampling>& test,
                                          const SampleWork& work) {
  std::vector<SystemScores> systems(statistics.systems);
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    for (std::size_t s = 0; s < systems.size(); ++s) {
      systems[s].scores.push_back(
          {.score = metrics[m]->value(statistics.sums[statistics.place(m, s)])});
    }
  }
  if (!test) return systems;
  const Resampling resampling = resampling_of(*test, work);
  if (test->kind == Sampling::Kind::kBootstrap) {
    add_bootstrap(bootstrap(statistics, metrics, resampling), systems);
  } else {
    add_randomization(swapped_differences(statistics, metrics, resampling), systems);
  }
  return systems;
}

}  // namespace awend::metrics
