#include "text/subword_nmt/ordered_counts.hpp"

#include <set>

#include "tests/catch.hpp"
#include "text/text_hash.hpp"

namespace {

using namespace awend::text;

std::string listed(const OrderedCounts& counts) {
  std::string list;
  for (std::size_t i = 0; i < counts.size(); ++i)
    list += std::string(counts.text(i)) + "=" + std::to_string(counts.count(i)) + " ";
  return list;
}

TEST_CASE("texts are in the order of first occurrence, including empty and binary ones") {
  OrderedCounts counts;
  for (const std::string_view text : {"b", "a", "", "b", "ab"}) counts.add(text);
  counts.add(std::string_view("a\0", 2), 5);
  CHECK(listed(counts) == std::string("b=2 a=1 =1 ab=1 a\0=5 ", 21));
  CHECK(counts.by_count() == std::vector<std::size_t>{4, 0, 1, 2, 3});
}

TEST_CASE("many texts are all found again") {
  OrderedCounts counts;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 20'000; ++i) counts.add("word" + std::to_string(i * 7919));
  }
  CHECK(counts.size() == 20'000);
  for (std::size_t i = 0; i < counts.size(); i += 999) {
    CHECK(counts.text(i) == "word" + std::to_string(i * 7919));
    CHECK(counts.count(i) == 3);
  }
}

TEST_CASE("the hash tells short texts apart that differ in one byte, wherever it is") {
  std::set<std::uint64_t> hashes;
  std::size_t texts = 0;
  for (std::size_t size = 0; size <= 40; ++size) {
    std::string text(size, 'a');
    hashes.insert(text_hash(text));
    ++texts;
    for (std::size_t i = 0; i < size && size > 3; ++i) {
      text[i] = 'b';
      hashes.insert(text_hash(text) % (1 << 30));
      text[i] = 'a';
      ++texts;
    }
  }
  CHECK(hashes.size() == texts);
}

}  // namespace
