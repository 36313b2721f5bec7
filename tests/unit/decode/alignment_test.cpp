// Alignments from weights: the mean of the heads, words from tokens, and output formats.
#include "decode/alignment.hpp"

#include "base/error.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace awend::decode {
namespace {

/// Two heads over three source tokens and their end, for two target tokens and theirs.
Attentions two_heads() {
  store::AttentionMaps maps{.layers = 2, .heads = 2, .rows = 3, .columns = 4, .values = {}};
  maps.values = {
      0.8f, 0.2f, 0, 0,    0, 0,    0.6f, 0.4f, 0, 0, 0, 1,  // head 0
      0.6f, 0,    0, 0.4f, 0, 0.2f, 0.4f, 0.4f, 0, 0, 1, 0,  // head 1
  };
  maps.values.resize(2 * maps.values.size(), 0.25f);  // the second layer is uniform
  return {.encoder = {}, .decoder = {}, .cross = maps};
}

TEST_CASE("the second-to-last layer aligns, by the mean of its heads") {
  const auto alignment = align(two_heads(), {});
  CHECK(alignment.target == 3);
  CHECK(alignment.source == 4);
  CHECK(alignment.at(0, 0) == Approx(0.7));
  CHECK(alignment.at(1, 2) == Approx(0.5));
  CHECK(align(two_heads(), {.layer = 2}).at(1, 2) == Approx(0.25));
  CHECK(tests::message_of([] { align(two_heads(), {.layer = 3}); }) ==
        "alignment layer 3 does not exist; the decoder has 2 layers");
}

TEST_CASE("the first head of a guided layer aligns, unless another layer is requested") {
  auto attentions = two_heads();
  attentions.guided_layer = 1;
  CHECK(align(attentions, {}).at(0, 0) == Approx(0.8));
  CHECK(align(attentions, {}).at(1, 2) == Approx(0.6));
  CHECK(align(attentions, {.layer = 1}).at(0, 0) == Approx(0.7));
  attentions.guided_layer = 2;
  CHECK(align(attentions, {}).at(0, 0) == Approx(0.25));
}

TEST_CASE("hard, soft and by a threshold") {
  const auto alignment = align(two_heads(), {});
  CHECK(to_text(alignment, parse_alignment("hard")) == "0-0 2-1");
  CHECK(to_text(alignment, parse_alignment("soft")) == "0.7,0.1,0,0.2 0,0.1,0.5,0.4");
  CHECK(to_text(alignment, parse_alignment("0.1")) == "0-0 1-0 1-1 2-1");
  CHECK(to_text(alignment, parse_alignment("0.6")) == "0-0");
  CHECK(to_text(alignment, parse_alignment("1")).empty());
}

TEST_CASE("no link if the end of the source has the largest weight") {
  Alignment alignment{2, 2, {0.4, 0.6, 0.5, 0.5}};
  CHECK(best_sources(alignment) == std::vector<std::optional<std::uint32_t>>{std::nullopt});
  CHECK(to_text(alignment, {}).empty());
}

TEST_CASE("words take the sum of source pieces and the mean of target pieces") {
  const auto alignment = align(two_heads(), {});
  const std::uint32_t source[] = {0, 0, 1}, target[] = {0, 0};
  const auto words = by_words(alignment, source, target);
  CHECK(words.target == 2);
  CHECK(words.source == 3);
  CHECK(words.at(0, 0) == Approx((0.8 + 0.1) / 2));
  CHECK(words.at(0, 1) == Approx(0.25));
  CHECK(words.at(0, 2) == Approx(0.3));
  CHECK(to_text(words, {}) == "0-0");
}

TEST_CASE("other forms are refused") {
  for (const auto* text : {"", "0", "-1", "1.5", "nan", "harder", "0.5x"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_alignment(text), base::Error);
  }
}

TEST_CASE("the first tokens of the sides are left out") {
  const Alignment alignment{2, 3, {0.1, 0.2, 0.7, 0.3, 0.5, 0.2}};
  const auto rest = without_first(alignment, 1, 1);
  CHECK(rest.target == 1);
  CHECK(rest.source == 2);
  CHECK(rest.weights == std::vector<double>{0.5, 0.2});
  CHECK(without_first(alignment, 0, 0).weights == alignment.weights);
}

}  // namespace
}  // namespace awend::decode
