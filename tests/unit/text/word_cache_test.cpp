#include "text/word_cache.hpp"

#include <string>

#include "tests/catch.hpp"

namespace {

using awend::text::WordCache;

TEST_CASE("a word is found with what it was given, until others take its place") {
  WordCache cache;
  CHECK(cache.find("word").data() == nullptr);
  cache.insert("word", "wo@@ rd");
  cache.insert("wor", "w@@ or");
  CHECK(cache.find("word") == "wo@@ rd");
  CHECK(cache.find("wor") == "w@@ or");
  CHECK(cache.find("wo").data() == nullptr);
  CHECK(cache.find("").data() == nullptr);
  int right = 0, wrong = 0;
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 100'000; ++i) {
      const std::string word = "w" + std::to_string(i), result = "r" + std::to_string(i);
      const std::string_view found = cache.find(word);
      if (found.data() == nullptr) cache.insert(word, result);
      if (found.data() != nullptr) ++(found == result ? right : wrong);
      // A frequently used word stays.
      if (i % 8 == 0 && cache.find("word").data() == nullptr) ++wrong;
    }
  }
  CHECK(right > 0);
  CHECK(wrong == 0);
}

TEST_CASE("what is longer than a slot is not kept") {
  WordCache cache;
  for (const std::size_t size : {30, 31, 32, 62, 63, 255, 256, 318}) {
    const std::string word(size, 'x');
    cache.insert(word, word);
    CHECK((cache.find(word).data() != nullptr) == (size <= 31));
  }
}

}  // namespace
