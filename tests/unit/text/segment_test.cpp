#include "text/segment.hpp"

#include "tests/catch.hpp"
#include "text/tokenizer.hpp"

namespace {

using namespace awend::text;

Vocabulary vocabulary(VocabularyType type, std::vector<std::string> pieces,
                      const std::vector<std::pair<std::string, std::string>>& merges = {}) {
  VocabularyContent content;
  content.type = type;
  content.pieces = special_pieces();
  for (std::string& piece : pieces) content.pieces.push_back({std::move(piece), 0});
  const Vocabulary unmerged(content);
  for (const auto& [left, right] : merges) {
    content.merges.push_back({unmerged.id(left), unmerged.id(right), unmerged.id(left + right)});
  }
  return Vocabulary(std::move(content));
}

template <class Segmenter>
std::string cut(const Vocabulary& vocabulary, std::string_view word) {
  Ids ids;
  Segmenter(vocabulary).append(word, ids);
  return join_pieces(vocabulary, ids);
}

TEST_CASE("the pair of lowest rank merges first, at all its places, from left to right") {
  const Vocabulary v =
      vocabulary(VocabularyType::kBpe, {"▁", "a", "b", "c", "bc", "ab", "aa", "▁aa"},
                 {{"b", "c"}, {"a", "b"}, {"a", "a"}, {"▁", "aa"}});
  CHECK(cut<PairMerger>(v, "abc") == "a bc");
  CHECK(cut<PairMerger>(v, "abab") == "ab ab");
  CHECK(cut<PairMerger>(v, "aaa") == "aa a");
  CHECK(cut<PairMerger>(v, " aab") == "▁ a ab");
  CHECK(cut<PairMerger>(v, " aa") == "▁aa");
  CHECK(cut<PairMerger>(v, "").empty());
}

TEST_CASE("a pair that is listed twice has its first rank") {
  const Vocabulary v = vocabulary(VocabularyType::kBpe, {"a", "b", "c", "ab", "bc"},
                                  {{"a", "b"}, {"b", "c"}, {"a", "b"}});
  CHECK(cut<PairMerger>(v, "abc") == "ab c");
}

TEST_CASE("the longest piece is taken") {
  const Vocabulary v =
      vocabulary(VocabularyType::kWordPiece, {"▁", "a", "b", "▁a", "ab", "abä", "ä"});
  CHECK(cut<LongestMatcher>(v, " aba") == "▁a b a");
  CHECK(cut<LongestMatcher>(v, "abäab") == "abä ab");
}

TEST_CASE("what the vocabulary lacks becomes bytes") {
  for (const auto type : {VocabularyType::kBpe, VocabularyType::kWordPiece}) {
    const Vocabulary v = vocabulary(type, {"a"});
    const auto bytes = [&](std::string_view word) {
      return type == VocabularyType::kBpe ? cut<PairMerger>(v, word) : cut<LongestMatcher>(v, word);
    };
    CHECK(bytes(" aä") == "<0x20> a <0xC3> <0xA4>");
    CHECK(bytes("▁a") == "<0xE2> <0x96> <0x81> a");
  }
}

TEST_CASE("a literal mark is not a space, even if a piece contains it") {
  const Vocabulary v = vocabulary(VocabularyType::kWordPiece, {"▁", "a", "▁a"});
  CHECK(cut<LongestMatcher>(v, " a") == "▁a");
  CHECK(cut<LongestMatcher>(v, "▁a") == "<0xE2> <0x96> <0x81> a");
}

TEST_CASE(
    "dropout leaves merges out: none at 0, all at 1, some between, the same for the same seed") {
  const Vocabulary v =
      vocabulary(VocabularyType::kBpe, {"a", "aa", "aaaa"}, {{"a", "a"}, {"aa", "aa"}});
  const auto with = [&](double probability, std::uint64_t seed) {
    MergeDropout dropout{probability, awend::base::Random(seed)};
    Ids ids;
    PairMerger(v).append("aaaaaaaaaaaaaaaa", dropout, ids);
    return join_pieces(v, ids);
  };
  CHECK(with(0, 1) == "aaaa aaaa aaaa aaaa");
  CHECK(with(1, 1) == "a a a a a a a a a a a a a a a a");
  CHECK(with(0.5, 1) == with(0.5, 1));
  CHECK(with(0.5, 1) != with(0.5, 2));
}

TEST_CASE("what a model may write decodes to one valid line") {
  const Vocabulary v = vocabulary(VocabularyType::kBpe, {"▁", "a", "▁a"});
  const auto decoded = [&](Ids ids) { return decode(v, ids); };
  CHECK(decoded({}).empty());
  CHECK(decoded({260, 259, 260, Vocabulary::kEndOfSentence}) == "aa a");
  CHECK(decoded({259, Vocabulary::kUnknown}) == "a\uFFFD");
  CHECK(decoded({Vocabulary::byte_id(0xC3), Vocabulary::byte_id(0xA4)}) == "ä");
  CHECK(decoded({Vocabulary::byte_id(0xC3), 259}) == "\uFFFDa");
  CHECK(decoded({259, Vocabulary::byte_id('\n'), 259}) == "a\uFFFDa");
}

}  // namespace
