// Plans of epochs: complete, within capacity, well filled, decided by the seed, and resumable.
#include "data/batch_plan.hpp"

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "base/random.hpp"
#include "tests/catch.hpp"

namespace awend::data {
namespace {

using Words = std::vector<std::uint32_t>;

/// Pairs of up to 40 pieces; the target is up to three pieces longer or shorter than the source.
SentencePairs random_pairs(std::uint32_t count) {
  base::Random random(5);
  SentencePairs pairs;
  for (std::uint32_t pair = 0; pair < count; ++pair) {
    const auto length = 4 + random.below(36);
    pairs.source.add(Words(length, 300 + pair));
    pairs.target.add(Words(length - 3 + random.below(7), 300 + pair));
  }
  return pairs;
}

struct Totals {
  std::uint64_t source = 0;
  std::uint64_t target = 0;
};

Totals totals(const SentencePairs& corpus, std::span<const std::uint32_t> pairs) {
  Totals sum;
  for (const auto pair : pairs) {
    sum.source += corpus.source.tokens(pair);
    sum.target += corpus.target.tokens(pair);
  }
  return sum;
}

std::vector<Words> batches(const BatchPlan& plan) {
  std::vector<Words> result;
  for (std::size_t i = 0; i < plan.size(); ++i) result.emplace_back(plan[i].begin(), plan[i].end());
  return result;
}

/// Every pair once, no batch empty or above the capacity.
void check_partition(const SentencePairs& corpus, const BatchPlan& plan, std::uint32_t capacity) {
  Words seen(corpus.size());
  for (const auto& batch : batches(plan)) {
    REQUIRE(!batch.empty());
    REQUIRE(totals(corpus, batch).source <= capacity);
    REQUIRE(totals(corpus, batch).target <= capacity);
    for (const auto pair : batch) ++seen[pair];
  }
  REQUIRE(std::count(seen.begin(), seen.end(), 1) == static_cast<std::ptrdiff_t>(corpus.size()));
}

TEST_CASE("an epoch holds every pair once and never exceeds the capacity", "[plan]") {
  const auto corpus = random_pairs(1000);
  for (const std::uint32_t capacity : {43U, 100U, 1000U, 1000000U}) {
    for (std::uint64_t epoch = 0; epoch < 3; ++epoch) {
      check_partition(corpus, BatchPlan::of_epoch(corpus, {capacity, 1}, epoch), capacity);
    }
    check_partition(corpus, BatchPlan::in_order(corpus, {capacity, 1}), capacity);
  }
}

TEST_CASE("batches are full: only one of an epoch is below nine tenths", "[plan]") {
  const auto corpus = random_pairs(2000);
  const auto plan = BatchPlan::of_epoch(corpus, {1000, 1}, 0);
  int poor = 0;
  for (const auto& batch : batches(plan)) {
    const auto sum = totals(corpus, batch);
    poor += std::max(sum.source, sum.target) < 900 ? 1 : 0;
  }
  CHECK(poor <= 1);
}

TEST_CASE("sentences of a batch are of approximately one length", "[plan]") {
  const auto corpus = random_pairs(2000);
  const auto plan = BatchPlan::of_epoch(corpus, {500, 1}, 0);
  for (const auto& batch : batches(plan)) {
    std::uint32_t shortest = 1000;
    std::uint32_t longest = 0;
    for (const auto pair : batch) {
      const auto length = std::max(corpus.source.tokens(pair), corpus.target.tokens(pair));
      shortest = std::min(shortest, length);
      longest = std::max(longest, length);
    }
    // A batch may reach over the border between two classes, each a tenth wide.
    if (longest > 10) CHECK(longest <= shortest * 1.1 * 1.1 + 2);
  }
}

TEST_CASE("the order follows from seed and epoch", "[plan]") {
  const auto corpus = random_pairs(500);
  const auto first = batches(BatchPlan::of_epoch(corpus, {300, 1}, 0));
  CHECK(first == batches(BatchPlan::of_epoch(corpus, {300, 1}, 0)));
  const auto second = batches(BatchPlan::of_epoch(corpus, {300, 1}, 1));
  const auto other = batches(BatchPlan::of_epoch(corpus, {300, 2}, 0));
  CHECK(first != second);
  CHECK(first != other);
  // Not only their order, the batches themselves differ.
  const std::set<Words> known(first.begin(), first.end());
  const auto repeated = std::count_if(second.begin(), second.end(),
                                      [&](const Words& batch) { return known.contains(batch); });
  CHECK(repeated < static_cast<std::ptrdiff_t>(second.size() / 4));
}

TEST_CASE("short and long batches alternate at random", "[plan]") {
  const auto corpus = random_pairs(2000);
  const auto plan = BatchPlan::of_epoch(corpus, {500, 1}, 0);
  std::size_t rising = 0;
  for (std::size_t i = 1; i < plan.size(); ++i)
    rising += plan[i].size() > plan[i - 1].size() ? 1 : 0;
  CHECK(rising > plan.size() / 3);
  CHECK(rising < plan.size() * 2 / 3);
}

/// Two corpora as one, the first of 100 pairs, the second of 50.
PairsView weighted(const SentencePairs& first, const SentencePairs& second, double a, double b) {
  return PairsView(
      {{.source = first.source, .target = first.target, .size = first.size(), .weight = a},
       {.source = second.source, .target = second.target, .size = second.size(), .weight = b}},
      1);
}

/// How often each pair is seen in an epoch.
Words times_seen(const PairsView& corpus, std::uint64_t epoch) {
  Words seen(corpus.size());
  for (const auto& batch : batches(BatchPlan::of_epoch(corpus, {300, 1}, epoch))) {
    for (const auto pair : batch) ++seen[pair];
  }
  return seen;
}

TEST_CASE("a weight is how often an epoch meets each pair of a corpus", "[plan]") {
  const auto first = random_pairs(100), second = random_pairs(50);
  const auto seen = times_seen(weighted(first, second, 3, 1), 0);
  CHECK(std::count(seen.begin(), seen.begin() + 100, 3) == 100);
  CHECK(std::count(seen.begin() + 100, seen.end(), 1) == 50);
}

TEST_CASE("the fraction of a weight is a share that each epoch samples again", "[plan]") {
  const auto first = random_pairs(100), second = random_pairs(50);
  const auto corpus = weighted(first, second, 0.25, 1.5);
  const auto seen = times_seen(corpus, 0), later = times_seen(corpus, 1);
  CHECK(std::count(seen.begin(), seen.begin() + 100, 1) == 25);
  CHECK(std::count(seen.begin(), seen.begin() + 100, 0) == 75);
  CHECK(std::count(seen.begin() + 100, seen.end(), 1) == 25);
  CHECK(std::count(seen.begin() + 100, seen.end(), 2) == 25);
  CHECK(seen == times_seen(corpus, 0));
  CHECK(seen != later);
  CHECK(std::count(later.begin(), later.begin() + 100, 1) == 25);
  // No pair is preferred: over many epochs each is seen about as often.
  Words sum(corpus.size());
  for (std::uint64_t epoch = 0; epoch < 400; ++epoch) {
    const auto now = times_seen(corpus, epoch);
    for (std::size_t i = 0; i < now.size(); ++i) sum[i] += now[i];
  }
  const auto [min, max] = std::minmax_element(sum.begin(), sum.begin() + 100);
  CHECK(*min > 100 - 45);  // five standard deviations, sqrt(400 * 0.25 * 0.75) each
  CHECK(*max < 100 + 45);
}

TEST_CASE("weights that leave nothing, or too much, are refused", "[plan]") {
  const auto first = random_pairs(100), second = random_pairs(50);
  CHECK_THROWS_AS(BatchStream(weighted(first, second, 0.001, 0.001), {300, 1}), base::Error);
  CHECK_THROWS_AS(BatchStream(weighted(first, second, 1e8, 1), {300, 1}), base::Error);
}

TEST_CASE("in order means in order", "[plan]") {
  const auto corpus = random_pairs(100);
  std::uint32_t expected = 0;
  for (const auto& batch : batches(BatchPlan::in_order(corpus, {200, 1}))) {
    for (const auto pair : batch) CHECK(pair == expected++);
  }
  CHECK(expected == 100);
}

TEST_CASE("a batch may have exactly the capacity, on either side", "[plan]") {
  // Each side has one token more, its end: pairs of 5 and 3, or 3 and 5.
  for (const auto& [source, target] : {std::pair(4, 2), std::pair(2, 4)}) {
    SentencePairs corpus;
    for (int pair = 0; pair < 4; ++pair) {
      corpus.source.add(Words(source, 300));
      corpus.target.add(Words(target, 300));
    }
    CHECK(batches(BatchPlan::in_order(corpus, {10, 1})) == std::vector<Words>{{0, 1}, {2, 3}});
    CHECK(batches(BatchPlan::in_order(corpus, {9, 1})).size() == 4);
    CHECK(BatchPlan::of_epoch(corpus, {10, 1}, 0).size() == 2);
  }
}

TEST_CASE("a pair above the capacity is a programming error", "[plan]") {
  SentencePairs corpus;
  corpus.source.add(Words(10, 300));
  corpus.target.add(Words(3, 300));
  CHECK_NOTHROW(BatchPlan::in_order(corpus, {11, 1}));
  CHECK_THROWS_AS(BatchPlan::in_order(corpus, {10, 1}), std::logic_error);
}

TEST_CASE("a stream that resumes gives what it would have given", "[stream]") {
  const auto corpus = random_pairs(60);
  const BatchSettings settings{200, 9};
  BatchStream whole(corpus, settings);
  const auto in_epoch = whole.batches_in_epoch();
  REQUIRE(in_epoch > 2);
  for (std::uint64_t step = 0; step < 3 * in_epoch; ++step) {
    BatchStream resumed(corpus, settings, whole.position());
    REQUIRE(resumed.next() == whole.next());
    REQUIRE(resumed.position() == whole.position());
  }
  CHECK(whole.position().epoch >= 2);
}

TEST_CASE("a stream goes from the end of an epoch to the next one's beginning", "[stream]") {
  const auto corpus = random_pairs(60);
  const BatchSettings settings{200, 9};
  BatchStream stream(corpus, settings);
  const auto in_epoch = stream.batches_in_epoch();
  Words seen(corpus.size());
  for (std::uint64_t step = 0; step < in_epoch; ++step) {
    CHECK(stream.position() == BatchPosition{0, step});
    for (const auto pair : stream.next()) ++seen[pair];
  }
  CHECK(stream.position() == BatchPosition{1, 0});
  CHECK(seen == Words(corpus.size(), 1));
}

TEST_CASE("a position that the corpus lacks is an error", "[stream]") {
  const auto corpus = random_pairs(10);
  CHECK_THROWS_AS(BatchStream(corpus, {200, 1}, {0, 1000}), base::Error);
  CHECK_THROWS_AS(BatchStream(SentencePairs(), {200, 1}), std::logic_error);
}

TEST_CASE("a batch has at most as many pairs as requested", "[plan]") {
  const auto corpus = random_pairs(100);
  const auto plan = BatchPlan::of_epoch(
      PairsView(corpus), {.batch_tokens = 10'000, .seed = 3, .batch_sentences = 16}, 0);
  check_partition(corpus, plan, 10'000);
  REQUIRE(plan.size() == 7);
  std::size_t full = 0;
  for (std::size_t i = 0; i < plan.size(); ++i) full += plan[i].size() == 16 ? 1 : 0;
  CHECK(full == 6);
  // Tokens are still limited.
  const auto small = BatchPlan::of_epoch(
      PairsView(corpus), {.batch_tokens = 100, .seed = 3, .batch_sentences = 16}, 0);
  check_partition(corpus, small, 100);
  CHECK(small.size() > 7);
}

}  // namespace

}  // namespace awend::data
