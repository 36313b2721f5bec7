// Updates: complete, cut within bounds, shared out whole, and the same whatever the cuts are.
#include "data/update_stream.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "base/random.hpp"
#include "tests/catch.hpp"

namespace awend::data {
namespace {

using Words = std::vector<std::uint32_t>;

SentencePairs random_pairs(std::uint32_t count) {
  base::Random random(6);
  SentencePairs pairs;
  for (std::uint32_t pair = 0; pair < count; ++pair) {
    pairs.source.add(Words(1 + random.below(30), 300 + pair));
    pairs.target.add(Words(1 + random.below(30), 300 + pair));
  }
  return pairs;
}

Words all_of(const SentencePairs& pairs) {
  Words numbers(pairs.size());
  std::iota(numbers.begin(), numbers.end(), 0U);
  return numbers;
}

TEST_CASE("passes are the update, in its order and within their bound", "[passes]") {
  const auto corpus = random_pairs(50);
  const auto pairs = all_of(corpus);
  const std::uint32_t rows = GENERATE(31, 32, 100, 333, 100000);
  std::size_t next = 0;
  std::uint32_t source = 0, target = 0;
  for (const auto& cut : cut_passes(corpus, pairs, {.pass_rows = rows})) {
    CHECK(cut.begin == next);
    CHECK(cut.first_source_row == source);
    CHECK(cut.first_target_row == target);
    for (; next < cut.end; ++next) {
      source += PairsView(corpus).corpora()[0].source.tokens(next);
      target += PairsView(corpus).corpora()[0].target.tokens(next);
    }
    CHECK(source - cut.first_source_row <= rows);
    CHECK(target - cut.first_target_row <= rows);
  }
  CHECK(next == pairs.size());
  CHECK((rows < 100000 || cut_passes(corpus, pairs, {.pass_rows = rows}).size() == 1));
}

TEST_CASE("a pass may have exactly its bound, on either side", "[passes]") {
  for (const auto& [source, target] : {std::pair(4, 2), std::pair(2, 4)}) {
    SentencePairs corpus;
    for (int pair = 0; pair < 4; ++pair) {
      corpus.source.add(Words(source, 300));
      corpus.target.add(Words(target, 300));
    }
    CHECK(cut_passes(corpus, all_of(corpus), {.pass_rows = 10}).size() == 2);
    CHECK(cut_passes(corpus, all_of(corpus), {.pass_rows = 9}).size() == 4);
  }
}

TEST_CASE("a pair above the bound of a pass is a programming error", "[passes]") {
  const auto corpus = random_pairs(50);
  CHECK_THROWS_AS(cut_passes(corpus, all_of(corpus), {.pass_rows = 10}), std::logic_error);
}

TEST_CASE("the shares of processes are the update, each pair in one of them", "[passes]") {
  const auto corpus = random_pairs(50);
  const auto pairs = all_of(corpus);
  const std::uint32_t processes = GENERATE(2, 3, 7, 100);
  std::size_t next = 0, largest = 0;
  for (std::uint32_t process = 0; process < processes; ++process) {
    std::size_t own = 0;
    for (const auto& cut : cut_passes(
             corpus, pairs, {.pass_rows = 100, .process = process, .processes = processes})) {
      CHECK(cut.begin == next);
      own += cut.end - cut.begin;
      next = cut.end;
    }
    largest = std::max(largest, own);
  }
  CHECK(next == pairs.size());
  CHECK(largest <= pairs.size() / processes + 8);  // by tokens, not pairs
}

TEST_CASE("an update has its batches' pairs, whatever its passes", "[updates]") {
  const auto corpus = random_pairs(60);
  const BatchSettings settings{.batch_tokens = 200, .seed = 9};
  BatchStream batches(corpus, settings);
  UpdateStream whole(corpus, settings, {.batches = 2});
  UpdateStream small(corpus, settings, {.batches = 2, .pass_rows = 40});
  for (int step = 0; step < 20; ++step) {
    auto expected = batches.next();
    const auto more = batches.next();
    expected.insert(expected.end(), more.begin(), more.end());
    const auto one = whole.next(), many = small.next();
    CHECK(many.passes.size() > one.passes.size());
    CHECK(one.target_tokens == many.target_tokens);
    for (const auto* update : {&one, &many}) {
      Words pairs;
      std::uint32_t source = 0, target = 0;
      for (const auto& pass : update->passes) {
        CHECK(pass.source.first_row == source);
        CHECK(pass.target.first_row == target);
        pairs.insert(pairs.end(), pass.pairs.begin(), pass.pairs.end());
        source += pass.source.rows();
        target += pass.target_rows();
      }
      CHECK(pairs == expected);
      CHECK(target == update->target_tokens);
    }
    CHECK(whole.position() == batches.position());
    CHECK(whole.epochs() == small.epochs());
  }
}

TEST_CASE("updates that resume are those that would have come", "[updates]") {
  const auto corpus = random_pairs(60);
  const BatchSettings settings{.batch_tokens = 200, .seed = 9};
  const UpdateShape shape{.batches = 3, .pass_rows = 70};
  UpdateStream whole(corpus, settings, shape);
  CHECK(whole.epochs() == 0);
  for (int step = 0; step < 20; ++step) {
    UpdateStream resumed(corpus, settings, shape, whole.position());
    CHECK(resumed.epochs() == whole.epochs());
    const auto one = whole.next(), other = resumed.next();
    REQUIRE(one.passes.size() == other.passes.size());
    for (std::size_t i = 0; i < one.passes.size(); ++i) {
      CHECK(one.passes[i].pairs == other.passes[i].pairs);
      CHECK(one.passes[i].target.ids == other.passes[i].target.ids);
    }
    CHECK(resumed.position() == whole.position());
  }
}

}  // namespace
}  // namespace awend::data
