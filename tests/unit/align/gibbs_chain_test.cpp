#include "align/gibbs_chain.hpp"

#include "align/hmm.hpp"
#include "tests/catch.hpp"

namespace awend::align {
namespace {

// Pairs "a b" - "x y" and "a c" - "x z": that a is x is seen twice, the rest only once.
struct Text {
  Bitext bitext{std::size_t{1} << 20, "/tmp"};
  Lexicon lexicon;

  Text() {
    bitext.add("a b", "x y", 10);
    bitext.add("", "x", 10);
    for (int i = 0; i < 20; ++i) bitext.add("a c", "x z", 10);
    std::vector<LexiconEntry> entries;
    for (WordId source = 0; source <= 3; ++source) {
      for (WordId target = 1; target <= 3; ++target) {
        // b and z do not occur together, nor do c and y.
        if (source == 2 && target == 3) continue;
        if (source == 3 && target == 2) continue;
        entries.push_back({source, target, to_count(1)});
      }
    }
    const std::vector<std::vector<LexiconEntry>> parts = {entries};
    lexicon = Lexicon(parts, 4);
    lexicon.estimate(0, 1);
  }
  std::vector<std::int16_t> unlinked() const { return std::vector<std::int16_t>(43, -1); }
};

std::vector<float> probabilities(const GibbsChain& chain, std::size_t pair) {
  std::vector<float> sums(6);
  GibbsChain::Scratch scratch;
  chain.add_probabilities(pair, scratch, sums);
  return sums;
}

}  // namespace

TEST_CASE("a chain finds the words that translate each other") {
  const Text text;
  const PairPlaces places(text.bitext, Direction::kForward, text.lexicon, 1 << 20, 1);
  // Half of the links are right, the others are missing or wrong.
  auto links = text.unlinked();
  for (std::size_t i = 3; i + 1 < links.size(); i += 2) {
    links[i] = 0;
    links[i + 1] = i % 4 == 3 ? GibbsChain::kNoLink : std::int16_t{1};
  }
  GibbsChain chain(places, 4, links, {}, 1);
  for (int sweep = 0; sweep < 10; ++sweep) chain.sweep();
  for (const std::size_t pair : {0, 2, 21}) {
    const auto found = probabilities(chain, pair);
    CHECK(found[0] + found[1] + found[2] == Approx(1));
    CHECK(found[3] + found[4] + found[5] == Approx(1));
    CHECK(found[1] > 0.9F);
    CHECK(found[5] > 0.5F);
  }
}

TEST_CASE("a chain depends on its seed, and not on whether places are kept") {
  const Text text;
  const auto run = [&](std::size_t memory_bytes, std::uint64_t seed) {
    const PairPlaces places(text.bitext, Direction::kForward, text.lexicon, memory_bytes, 2);
    GibbsChain chain(places, 4, text.unlinked(), {}, seed);
    chain.sweep();
    std::vector<float> all;
    for (std::size_t i = 2; i < text.bitext.size(); ++i) {
      for (const auto value : probabilities(chain, i)) all.push_back(value);
    }
    return all;
  };
  CHECK(run(1 << 20, 1) == run(0, 1));
  CHECK(run(0, 1) != run(0, 2));
}

TEST_CASE("links to pairs that the lexicon does not have begin as none") {
  const Text text;
  const PairPlaces places(text.bitext, Direction::kReverse, text.lexicon, 0, 1);
  CHECK(places.longest_source() == 2);
  const PairPlaces forward(text.bitext, Direction::kForward, text.lexicon, 0, 1);
  auto links = text.unlinked();
  std::vector<std::uint32_t> scratch;
  CHECK(forward.of(1, scratch).size() == 1);
  CHECK(forward.first_word(2) == 3);
  const GibbsChain chain(forward, 4, links, {}, 1);
  CHECK(probabilities(chain, 0)[0] > 0);
}

TEST_CASE("the counts of a prior decide about a text without evidence") {
  const Text text;
  Bitext one(std::size_t{1} << 20, "/tmp");
  one.add("a b c", "x y z", 10);
  const PairPlaces places(one, Direction::kForward, text.lexicon, 0, 1);
  const std::vector<LexiconEntry> counts = {
      {1, 2, to_count(100)}, {2, 1, to_count(100)}, {3, 3, to_count(100)}};
  Jumps::Counts jumps{};
  for (const int distance : {-1, 1, 2}) jumps[Jumps::index(distance)] = to_count(100);
  GibbsChain chain(places, 4, {-1, -1, -1}, {.lexicon = counts, .jumps = jumps}, 1);
  for (int sweep = 0; sweep < 20; ++sweep) chain.sweep();
  std::vector<float> sums(12);
  GibbsChain::Scratch scratch;
  chain.add_probabilities(0, scratch, sums);
  CHECK(sums[2] > 0.9F);      // x comes from b
  CHECK(sums[4 + 1] > 0.9F);  // y from a
  CHECK(sums[8 + 3] > 0.9F);  // z from c
}

}  // namespace awend::align
