#include "text/markup/words.hpp"

#include "base/format.hpp"
#include "tests/catch.hpp"

namespace {

using namespace awend::text;

std::string words_of(std::string_view text, std::vector<TextRange> whole = {}) {
  WordBreaker breaker;
  std::string words;
  for (const auto& word : markup_words(text, whole, breaker))
    words += (words.empty() ? "" : "|") + std::string(word.of(text));
  return words;
}

Vocabulary vocabulary(VocabularyType type) {
  VocabularyContent content;
  content.type = type;
  content.pieces = special_pieces();
  return Vocabulary(content);
}

std::string numbers(VocabularyType type, const std::vector<std::string>& tokens,
                    std::string_view text) {
  WordBreaker breaker;
  const auto words = markup_words(text, {}, breaker);
  return awend::base::join(words_of_tokens(vocabulary(type), tokens, text, words), " ");
}

TEST_CASE("words, marks and numbers") {
  CHECK(words_of("") == "");
  CHECK(words_of("  \t ") == "");
  CHECK(words_of("Hello, world!") == "Hello|,|world|!");
  CHECK(words_of(" a  b ") == "a|b");
  CHECK(words_of("3.5 1,000.25: 12:30, 7.") == "3.5|1,000.25|:|12:30|,|7|.");
  CHECK(words_of("a1b 2024") == "a|1|b|2024");
  CHECK(words_of("don't\u00A0\u3000x") == "don't|x");
  CHECK(words_of("ab XX cd", {{3, 5}}) == "ab|XX|cd");
  CHECK(words_of("X.txt", {{0, 1}}) == "X|.|txt");
}

TEST_CASE("tokens of words") {
  const auto bpe = VocabularyType::kBpe;
  CHECK(numbers(bpe, {"▁Hel", "lo", ",", "▁wor", "ld", "!"}, "Hello, world!") == "0 0 1 2 2 3");
  // Normalized text: other case, other characters, and as many words.
  CHECK(numbers(bpe, {"▁hel", "lo", ",", "▁wor", "ld"}, "HELLO, world") == "0 0 1 2 2");
  CHECK(numbers(bpe, {"▁fin", "e", "▁a"}, "ﬁne a") == "0 0 1");
  // Bytes are characters.
  CHECK(numbers(bpe, {"▁a", "<0xE2>", "<0x82>", "<0xAC>", "▁b"}, "a€ b") == "0 1 1 1 2");
  // Other words: in proportion.
  CHECK(numbers(bpe, {"▁ab", "▁cd", "▁ef"}, "abcd ef") == "0 0 1");
  CHECK(numbers(VocabularyType::kTokens, {"Hello", ",", "world"}, "Hello , world") == "0 1 2");
  CHECK(numbers(VocabularyType::kSubwordNmt, {"Hel@@", "lo", "wor@@", "ld"}, "Hello world") ==
        "0 0 1 1");
  CHECK(numbers(bpe, {}, "a") == "");
  CHECK(numbers(bpe, {"▁a"}, "") == "0");
}

}  // namespace
