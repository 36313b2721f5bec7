// Fingerprints of corpora: what another corpus changes, and what does not matter.
#include "data/fingerprint.hpp"

#include "tests/catch.hpp"

namespace awend::data {
namespace {

using Words = std::vector<std::uint32_t>;

SentencePairs pairs(const std::vector<Words>& source, const std::vector<Words>& target) {
  SentencePairs pairs;
  for (const auto& sentence : source) pairs.source.add(sentence);
  for (const auto& sentence : target) pairs.target.add(sentence);
  return pairs;
}

TEST_CASE("another corpus, another order or another cut has another fingerprint", "[fingerprint]") {
  const auto original = fingerprint(pairs({{300, 301}, {302}}, {{400}, {401}}));
  CHECK(original == fingerprint(pairs({{300, 301}, {302}}, {{400}, {401}})));
  CHECK(original != fingerprint(pairs({{300, 301}, {303}}, {{400}, {401}})));
  CHECK(original != fingerprint(pairs({{302}, {300, 301}}, {{400}, {401}})));
  CHECK(original != fingerprint(pairs({{300}, {301, 302}}, {{400}, {401}})));
  CHECK(original != fingerprint(pairs({{400}, {401}}, {{300, 301}, {302}})));
}

TEST_CASE("of several corpora, their order and weights count", "[fingerprint]") {
  const auto a = pairs({{300, 301}, {302}}, {{400}, {401}}), b = pairs({{303}}, {{402}});
  const auto joint = [](const SentencePairs& first, const SentencePairs& second, double weight) {
    return fingerprint(PairsView(
        {{.source = first.source, .target = first.target, .size = first.size(), .weight = weight},
         {.source = second.source, .target = second.target, .size = second.size()}},
        1));
  };
  CHECK(joint(a, b, 1) == joint(a, b, 1));
  CHECK(joint(a, b, 1) != joint(b, a, 1));
  CHECK(joint(a, b, 1) != joint(a, b, 2));
  CHECK(joint(a, b, 1) != fingerprint(a));
  const WeightedFingerprint only{fingerprint(a), 1}, often{fingerprint(a), 3};
  CHECK(joint_fingerprint(std::span(&only, 1)) == fingerprint(a));
  CHECK(joint_fingerprint(std::span(&often, 1)) != fingerprint(a));
}

}  // namespace
}  // namespace awend::data
