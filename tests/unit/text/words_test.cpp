#include "text/words.hpp"

#include <random>

#include "base/utf8.hpp"
#include "tests/catch.hpp"
#include "text/normalize.hpp"
#include "text/tokenizer.hpp"

namespace {

using namespace awend::text;

// The words as tokenize --words-only prints them.
std::string words(std::string_view line) {
  WordBreaker breaker;
  return join_words(breaker, line);
}

TEST_CASE("a space belongs to the next word") {
  CHECK(words("").empty());
  CHECK(words("Hello world") == "▁Hello ▁world");
  CHECK(words(" a  b ") == "▁ ▁a ▁ ▁b ▁");
  CHECK(words("   ") == "▁ ▁ ▁ ▁");
}

TEST_CASE("punctuation marks and digits are separate words") {
  CHECK(words("He said: \"No!\" (1995)") == "▁He ▁said : ▁\" No ! \" ▁( 1 9 9 5 )");
  CHECK(words("3.14, 1,000 x2") == "▁3 . 1 4 , ▁1 , 0 0 0 ▁x 2");
  CHECK(words("can't re-do") == "▁can't ▁re - do");
  CHECK(words("٣٤") == "▁٣ ٤");
}

TEST_CASE("marks and joiners stay with their letters") {
  CHECK(words("e\u0301a") == "▁e\u0301a");
  CHECK(words("हिन्दी में") == "▁हिन्दी ▁में");
  CHECK(words("👩‍👩‍👧👍🏽") == "▁👩‍👩‍👧 👍🏽");
  CHECK(words(" \u0301x") == "▁ ▁\u0301 x");
}

TEST_CASE("dictionaries find words where no spaces are") {
  CHECK(words("ภาษาไทย") == "▁ภาษา ไทย");
  CHECK(words("我们喜欢音乐") == "▁我们 喜欢 音乐");
}

TEST_CASE("white space and control characters are bytes") {
  CHECK(words("a\tb") == "▁a <0x09> b");
  CHECK(words(std::string_view("a\0b", 3)) == "▁a <0x00> b");
  CHECK(words("a\u00A0b\u2581") == "▁a <0xC2> <0xA0> b <0xE2> <0x96> <0x81>");
}

TEST_CASE("the short way for plain words cuts as ICU does") {
  // Characters that take the short way, and some that do not.
  std::vector<std::string> characters;
  for (char32_t value = 1; value < 0x5A0; value += value < 0x80 ? 1 : 7) {
    if (value == U'\n' || value == U' ') continue;
    awend::base::append_code_point(characters.emplace_back(), value);
  }
  std::mt19937 random(5);
  WordBreaker breaker;
  std::vector<std::string_view> shortly, by_icu;
  for (int round = 0; round < 50'000; ++round) {
    // Letters are rare among characters, and common in words.
    std::string chunk = " ";
    for (std::size_t length = random() % 8; length > 0; --length)
      chunk += random() % 2 ? std::string(1, "abcXYZ.:'@_-0"[random() % 13])
                            : characters[random() % characters.size()];
    breaker.cut(chunk, shortly);
    by_icu.clear();
    breaker.cut_by_icu(chunk, 1, by_icu);
    if (shortly != by_icu) FAIL("'" << chunk << "'");
  }
}

TEST_CASE("very long words are cut") {
  const std::string line(1000, 'a');
  WordBreaker breaker;
  std::vector<std::string_view> found;
  breaker.cut(line, found);
  CHECK(found.size() == 8);
  for (const std::string_view word : found) CHECK(word.size() <= kMaxWordCharacters);
}

TEST_CASE("what has no space for megabytes is cut like short text") {
  std::string chunk;
  for (int i = 0; i < 40'000; ++i) chunk += "我们喜欢音乐";
  WordBreaker breaker;
  std::vector<std::string_view> found;
  breaker.cut(chunk, found);
  std::string together;
  for (const std::string_view word : found) together += word;
  CHECK(together == chunk);
  // A stretch may end within a word, and another word begin there.
  CHECK(found.size() > 110'000);
}

}  // namespace
