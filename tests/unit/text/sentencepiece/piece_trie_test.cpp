// The double array of pieces, against a comparison with every entry.
#include "text/sentencepiece/piece_trie.hpp"

#include <map>
#include <random>
#include <string>

#include "tests/catch.hpp"

namespace {

using awend::text::PieceTrie;
using Found = std::vector<std::pair<std::size_t, std::uint32_t>>;

Found prefixes(const PieceTrie& trie, std::string_view text) {
  Found found;
  trie.for_each_prefix(text, [&](std::size_t size, std::uint32_t value) {
    found.push_back({size, value});
  });
  return found;
}

TEST_CASE("prefixes are found, the shortest first") {
  const PieceTrie trie({{"ab", 1}, {"a", 2}, {"abcd", 3}, {"b", 4}, {"ab", 5}});
  CHECK(prefixes(trie, "abcde") == Found{{1, 2}, {2, 1}, {4, 3}});
  CHECK(prefixes(trie, "abc") == Found{{1, 2}, {2, 1}});
  CHECK(prefixes(trie, "c").empty());
  CHECK(prefixes(trie, "").empty());
  CHECK(trie.longest("abcdx") == 4);
  CHECK(trie.longest("x") == 0);
  CHECK(prefixes(PieceTrie({}), "abc").empty());
}

TEST_CASE("a trie of random texts finds what a comparison finds") {
  std::mt19937 random(9);
  const auto text = [&](std::size_t limit, unsigned letters) {
    std::string text(1 + random() % limit, '\0');
    for (char& byte : text) byte = static_cast<char>(random() % letters);
    return text;
  };
  for (const unsigned letters : {2U, 5U, 256U}) {
    std::map<std::string, std::uint32_t> texts;
    for (std::uint32_t i = 0; i < 3000; ++i) texts.emplace(text(9, letters), i);
    texts.emplace(std::string(100000, 'x'), 77);
    const PieceTrie trie({texts.begin(), texts.end()});
    for (int i = 0; i < 3000; ++i) {
      const std::string line = text(12, letters);
      Found expected;
      for (std::size_t size = 1; size <= line.size(); ++size) {
        const auto found = texts.find(line.substr(0, size));
        if (found != texts.end()) expected.push_back({size, found->second});
      }
      REQUIRE(prefixes(trie, line) == expected);
    }
    CHECK(trie.longest(std::string(100001, 'x')) == 100000);
  }
}

}  // namespace
