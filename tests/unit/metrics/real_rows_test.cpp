// Sums of real numbers in sacreBLEU's order, and its intervals and p-values of TER with three
// references (sacreBLEU 2.6.0, numpy 1.24).
#include "metrics/real_rows.hpp"

#include "metrics/statistics/significance.hpp"
#include "metrics/ter/ter.hpp"
#include "tests/catch.hpp"
#include "tests/unit/metrics/corpus.hpp"
#include "tests/unit/metrics/three_references.hpp"

namespace {

using namespace awend::metrics;
using namespace awend::tests;

TEST_CASE("real rows are added in order, in doubles or in floats") {
  const std::vector<std::int64_t> rows = {bits_of(1e16), bits_of(1), bits_of(-1e16), bits_of(0.1)};
  std::vector<std::int64_t> sums(1);
  add_real_rows(rows, sums);
  CHECK(real_of(sums[0]) == 0.1);  // 1 is lost in a sum with 1e16
  const RealRows table(rows, 1);
  table.add_up(std::vector<std::uint32_t>{3, 3, 3}, sums);
  CHECK(real_of(sums[0]) == static_cast<double>(0.1F + 0.1F + 0.1F));
  const auto split = table.split(std::vector<std::uint64_t>{0b11010 << 1}, 1);
  CHECK(split.chosen == std::vector{1 + 0.1});
  CHECK(split.others == std::vector{0.0});
}

// The rows of both systems, as measure_corpus keeps them.
CorpusStatistics statistics_of(const Ter& ter, const ThreeReferences& corpus) {
  CorpusStatistics statistics{.systems = 2,
                              .segments = corpus.first.size(),
                              .references = {3, 3},
                              .sums = {},
                              .rows = {{}, {}},
                              .tokenized = {}};
  for (std::size_t s = 0; s < 2; ++s) {
    const auto& hypotheses = s == 0 ? corpus.first : corpus.second;
    statistics.sums.push_back(sums_of(ter, hypotheses, corpus.references));
    for (std::size_t i = 0; i < hypotheses.size(); ++i) {
      std::vector<Strings> of_line;
      for (const auto& reference : corpus.references) of_line.push_back({reference[i]});
      for (const auto number : sums_of(ter, {hypotheses[i]}, of_line))
        statistics.rows[s].push_back(number);
    }
  }
  return statistics;
}

TEST_CASE("intervals and p-values of TER with three references are sacreBLEU's") {
  Metrics metrics;
  metrics.push_back(std::make_unique<Ter>());
  const auto statistics = statistics_of(Ter(), three_references());
  const auto samples = bootstrap(statistics, metrics, {.samples = 2, .seed = 12345});
  CHECK(samples[0] == std::vector{31.034481525421143, 29.57746386528015});
  CHECK(samples[1] == std::vector{42.85714030265808, 30.985915660858154});

  using Kind = Sampling::Kind;
  const auto by_bootstrap =
      compare_systems(statistics, metrics, Sampling{Kind::kBootstrap, 1000, 12345}, {});
  CHECK(by_bootstrap[0].scores[0].confidence->mean == 29.34811371564865);
  CHECK(by_bootstrap[0].scores[0].confidence->half_width == 2.4938419461250305);
  CHECK(by_bootstrap[1].scores[0].confidence->mean == 33.318636088073255);
  CHECK(by_bootstrap[1].scores[0].confidence->half_width == 8.255255222320557);
  CHECK(by_bootstrap[1].scores[0].p_value == 0.14385614385614387);

  const auto by_swaps =
      compare_systems(statistics, metrics, Sampling{Kind::kRandomization, 10'000, 12345}, {});
  CHECK(by_swaps[1].scores[0].p_value == 0.34656534346565343);
}

}  // namespace
