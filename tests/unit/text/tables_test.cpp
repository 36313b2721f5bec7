// The flat tables against those of the standard library.
#include <map>
#include <random>

#include "tests/catch.hpp"
#include "text/learn/count_table.hpp"
#include "text/pair_table.hpp"

namespace {

using namespace awend::text;

std::string random_text(std::mt19937& random, std::size_t longest) {
  std::string text;
  for (std::size_t length = random() % (longest + 1); length > 0; --length)
    text += static_cast<char>(random() % 3);
  return text;
}

TEST_CASE("a count table counts, NUL and empty texts included") {
  std::mt19937 random(1);
  CountTable table;
  std::map<std::string, std::uint64_t> expected;
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 20'000; ++i) {
      const std::string text = random_text(random, 12);
      table.add(text, i % 3);
      if (i % 3 > 0) expected[text] += i % 3;
    }
    std::map<std::string, std::uint64_t> counted;
    table.for_each([&](std::string_view text, std::uint64_t hash, std::uint64_t count) {
      CHECK(hash == text_hash(text));
      counted[std::string(text)] = count;
    });
    CHECK(counted == expected);
    CHECK(table.size() == expected.size());
    table.clear();
    expected.clear();
  }
}

TEST_CASE("a pair table numbers pairs") {
  std::mt19937 random(2);
  PairTable table;
  std::map<std::uint64_t, std::uint32_t> expected;
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    const std::uint64_t pair = make_pair_key(random() % 100, random() % 200);
    const auto found = expected.find(pair);
    CHECK(table.find(pair) == (found == expected.end() ? PairTable::kNone : found->second));
    const auto number = expected.emplace(pair, i).first->second;
    CHECK(table.find_or_insert(pair, i) == number);
    CHECK(left_of(pair) < 100);
    CHECK(right_of(pair) < 200);
  }
}

}  // namespace
