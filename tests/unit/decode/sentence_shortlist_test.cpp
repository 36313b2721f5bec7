// The tokens that a sentence may have; for those that Marian allows, see
// tests/properties/sentence_shortlist_test.cpp.
#include "decode/sentence_shortlist.hpp"

#include "tests/catch.hpp"

namespace awend::decode {
namespace {

using Ids = std::vector<std::uint32_t>;

store::LexicalShortlist sample(std::uint32_t first) {
  store::LexicalShortlist lists{.first = first, .best = 2};
  lists.append(Ids{17});  // </s>
  lists.append({});       // <unk>
  lists.append(Ids{3, 14});
  lists.append(Ids{9, 14});
  return lists;
}

}  // namespace

TEST_CASE("a sentence may have the tokens of the lists of its words") {
  const SentenceShortlist shortlist(sample(2), {.end_of_sentence = 0, .unknown = 1}, 20);
  // Tokens 2, 4 and 5 make their number a multiple of eight.
  CHECK(shortlist.allowed(Ids{2, 0}) == Ids{0, 1, 2, 3, 4, 5, 14, 17});
  CHECK(shortlist.allowed(Ids{3, 2, 3, 0}) == Ids{0, 1, 2, 3, 4, 9, 14, 17});
  CHECK(shortlist.allowed(Ids{}) == Ids{0, 1, 2, 3, 4, 5, 6, 7});
  CHECK(shortlist.allowed(Ids{77}) == Ids{0, 1, 2, 3, 4, 5, 6, 7});
}

TEST_CASE("with one vocabulary, a sentence may have the tokens of its source") {
  auto lists = sample(2);
  lists.source_ids = store::SourceIds::kAllowed;
  const SentenceShortlist shortlist(lists, {.end_of_sentence = 0, .unknown = 1}, 20);
  CHECK(shortlist.allowed(Ids{3, 19, 30, 0}) == Ids{0, 1, 2, 3, 9, 14, 17, 19});
}

TEST_CASE("the end and the unknown token are always allowed") {
  const SentenceShortlist shortlist(sample(0), {.end_of_sentence = 18, .unknown = 12}, 20);
  CHECK(shortlist.allowed(Ids{2}) == Ids{0, 1, 2, 3, 4, 12, 14, 18});
  const SentenceShortlist few(sample(9), {.end_of_sentence = 1, .unknown = 0}, 5);
  CHECK(few.allowed(Ids{1}) == Ids{0, 1, 2, 3, 4});
}

}  // namespace awend::decode
