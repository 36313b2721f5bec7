// A view shows its data, for any width and order, and concatenates corpora.
#include "data/pairs_view.hpp"

#include "base/error.hpp"
#include "tests/catch.hpp"

namespace awend::data {
namespace {

using Words = std::vector<std::uint32_t>;

Words ids(const SideView& side, std::size_t sentence) {
  Words out{7};  // what is there stays
  side.append_to(out, sentence);
  CHECK(out[0] == 7);
  CHECK(side.tokens(sentence) == out.size());
  return {out.begin() + 1, out.end()};
}

TEST_CASE("a view of vectors shows both sides", "[view]") {
  SentencePairs pairs;
  pairs.source.add(Words{300, 301});
  pairs.target.add(Words{400});
  pairs.source.add(Words{302});
  pairs.target.add(Words{401, 402, 403});
  const PairsView view = pairs;
  REQUIRE(view.size() == 2);
  CHECK(view.end_of_sentence() == 1);
  CHECK(ids(view[0].corpus.source, 0) == Words{300, 301});
  CHECK(ids(view[1].corpus.target, 1) == Words{401, 402, 403});
}

TEST_CASE("sides may alternate, in 16 bits", "[view]") {
  const std::vector<std::uint16_t> both{300, 301, 400, 302, 401};
  const std::vector<std::uint64_t> begins{0, 2, 3, 4, 5};
  const SideView source({.ids = std::span(both), .begins = begins.data(), .stride = 2});
  const SideView target({.ids = std::span(both), .begins = begins.data() + 1, .stride = 2});
  CHECK(ids(source, 0) == Words{300, 301});
  CHECK(ids(source, 1) == Words{302});
  CHECK(ids(target, 0) == Words{400});
  CHECK(ids(target, 1) == Words{401});
}

TEST_CASE("an id that the vocabulary lacks is found where it is used", "[view]") {
  const std::vector<std::uint16_t> all{300, 301};
  const std::vector<std::uint64_t> begins{0, 1, 2};
  const SideView side({.ids = std::span(all), .begins = begins.data(), .vocabulary_size = 301});
  CHECK(ids(side, 0) == Words{300});
  Words out;
  CHECK_THROWS_AS(side.append_to(out, 1), base::Error);
}

TEST_CASE("pairs are numbered through all corpora", "[view]") {
  SentencePairs first, none, second;
  for (std::uint32_t i = 0; i < 3; ++i) {
    first.source.add(Words{300 + i});
    first.target.add(Words{400 + i});
  }
  second.source.add(Words{500});
  second.target.add(Words{501});
  const auto whole = [](const SentencePairs& pairs) {
    return CorpusView{.source = pairs.source, .target = pairs.target, .size = pairs.size()};
  };
  const PairsView view({whole(first), whole(none), whole(second)}, 1);
  REQUIRE(view.size() == 4);
  for (std::uint32_t i = 0; i < 3; ++i) {
    const auto [corpus, index] = view[i];
    CHECK(ids(corpus.source, index) == Words{300 + i});
  }
  const auto [corpus, index] = view[3];
  CHECK(index == 0);
  CHECK(ids(corpus.target, index) == Words{501});
}

}  // namespace
}  // namespace awend::data
