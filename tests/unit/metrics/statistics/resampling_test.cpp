// Random numbers, sums and tests: compared with numpy, simple loops, and invariants.
#include "metrics/statistics/resampling.hpp"

#include <random>

#include "metrics/bleu/bleu.hpp"
#include "metrics/statistics/numpy_random.hpp"
#include "metrics/statistics/segment_rows.hpp"
#include "metrics/statistics/significance.hpp"
#include "tests/catch.hpp"

namespace {

using namespace awend::metrics;

TEST_CASE("random numbers are numpy's") {
  NumpyRandom indices(12345);
  for (const std::uint32_t expected : {67, 22, 76, 30, 19, 77, 62, 65})
    CHECK(indices.below(97) == expected);
  NumpyRandom bits(12345);
  const auto word = bits.next64();
  std::string text;
  for (int i = 0; i < 16; ++i) text += word >> i & 1 ? '1' : '0';
  CHECK(text == "1011100110000011");
}

TEST_CASE("the low half of a random word comes first, and other seeds give other numbers") {
  NumpyRandom whole(7), halves(7), other(std::uint64_t{7} << 32);
  const auto word = whole.next64();
  CHECK(halves.next32() == static_cast<std::uint32_t>(word));
  CHECK(halves.next32() == word >> 32);
  CHECK(other.next64() != word);
}

TEST_CASE("sums of rows are those of plain loops") {
  std::mt19937 random(1);
  for (const std::size_t width : {1, 2, 4, 10, 12, 13, 18, 30}) {
    for (const std::size_t size : {1, 3, 4, 63, 65, 130}) {
      // What overflows 32 bits, too.
      const std::int64_t limit = width == 2 ? std::int64_t{1} << 45 : width == 13 ? 1 << 19 : 1000;
      std::vector<std::int64_t> rows(width * size);
      for (auto& number : rows)
        number = static_cast<std::int64_t>((std::uint64_t{random()} << 32 | random()) % limit) -
                 limit / 3;
      const SegmentRows table(rows, width);
      std::vector<std::uint32_t> numbers(size);
      for (auto& number : numbers) number = random() % size;
      std::vector<std::int64_t> sums(width), expected(width);
      table.add_up(numbers, sums);
      for (const auto number : numbers) {
        for (std::size_t k = 0; k < width; ++k) expected[k] += rows[number * width + k];
      }
      CHECK(sums == expected);

      constexpr std::size_t kSamples = 5;
      std::vector<std::uint64_t> bits((kSamples * size + 63) / 64);
      for (auto& word : bits) word = std::uint64_t{random()} << 32 | random();
      std::vector<std::int64_t> by_bits(kSamples * width), expected_by_bits(kSamples * width);
      table.add_up_by_bits(bits, by_bits);
      for (std::size_t i = 0; i < kSamples * size; ++i) {
        if ((bits[i / 64] >> i % 64 & 1) == 0) continue;
        for (std::size_t k = 0; k < width; ++k)
          expected_by_bits[i / size * width + k] += rows[i % size * width + k];
      }
      CHECK(by_bits == expected_by_bits);
    }
  }
}

TEST_CASE("means") {
  CHECK(exact_mean({1e16, 1, -1e16, 1}) == 0.5);
  CHECK(exact_mean({0.1, 0.1, 0.1}) == 0.1);
  std::vector<double> numbers(1000);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i);
  CHECK(pairwise_mean(numbers) == 499.5);
  CHECK(exact_mean(numbers) == 499.5);
  CHECK(pairwise_mean({2}) == 2);
}

TEST_CASE("an interval leaves out a fortieth on either side") {
  std::vector<double> scores(40);
  for (std::size_t i = 0; i < scores.size(); ++i)
    scores[scores.size() - 1 - i] = static_cast<double>(i);
  CHECK(confidence_of(scores, exact_mean).half_width == (38 - 1) / 2.0);
  CHECK(confidence_of({3}, exact_mean).half_width == 0);
  CHECK(p_value({0, 1, 2, 3}, 1) == 3.0 / 5);
}

// Three systems: the second is the first one once more, the third has nothing in common with them.
CorpusStatistics statistics_of_three(const Metrics& metrics) {
  CorpusStatistics statistics;
  statistics.systems = 3;
  statistics.segments = 50;
  statistics.sums.assign(3, std::vector<std::int64_t>(metrics.front()->width()));
  statistics.rows.resize(3);
  std::mt19937 random(1);
  for (std::size_t i = 0; i < statistics.segments; ++i) {
    const auto matches = static_cast<std::int64_t>(random() % 7);
    for (std::size_t s = 0; s < 3; ++s) {
      const auto m = s == 2 ? 0L : matches;
      for (const std::int64_t number : {10L, 10L, m + 3, m + 2, m + 1, m, 10L, 9L, 8L, 7L})
        statistics.rows[s].push_back(number);
      for (std::size_t k = 0; k < 10; ++k) statistics.sums[s][k] += statistics.rows[s][i * 10 + k];
    }
  }
  return statistics;
}

TEST_CASE("equal systems are not told apart, others are, on any number of threads") {
  Metrics metrics;
  metrics.push_back(std::make_unique<Bleu>());
  const auto statistics = statistics_of_three(metrics);
  for (const auto kind : {Sampling::Kind::kBootstrap, Sampling::Kind::kRandomization}) {
    const Sampling test{kind, 300, 1};
    const auto systems = compare_systems(statistics, metrics, test, {});
    CHECK_FALSE(systems[0].scores[0].p_value);
    CHECK(systems[1].scores[0].score == systems[0].scores[0].score);
    // Nothing lies beyond no difference at all, and so p is as small as it can be: sacreBLEU's
    // rule.
    CHECK(*systems[1].scores[0].p_value == 1.0 / 301);
    CHECK(systems[1].scores[0].is_equal);
    CHECK_FALSE(systems[2].scores[0].is_equal);
    CHECK(*systems[2].scores[0].p_value < 0.01);
    const auto again = compare_systems(statistics, metrics, test, {.threads = 3});
    for (std::size_t s = 1; s < 3; ++s)
      CHECK(systems[s].scores[0].p_value == again[s].scores[0].p_value);
    if (kind == Sampling::Kind::kRandomization) continue;
    CHECK(systems[2].scores[0].confidence->mean == again[2].scores[0].confidence->mean);
    CHECK(systems[0].scores[0].confidence->half_width > 0);
  }
}

}  // namespace
