#include "text/sentences.hpp"

#include "base/error.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace {

using namespace awend::text;
using awend::tests::message_of;
using awend::tests::Scratch;
using Sentences = std::vector<std::string>;

Sentences split(std::string_view line, const SentenceSettings& settings = {}) {
  SentenceBreaker breaker(settings);
  const auto& found = breaker.split(line);
  return {found.begin(), found.end()};
}

TEST_CASE("a line is split into its sentences") {
  CHECK(split("It rains. \u201CStay here!\u201D he said. Why? Because.") ==
        Sentences{"It rains.", "\u201CStay here!\u201D he said.", "Why?", "Because."});
  CHECK(split("  one  ") == Sentences{"one"});
  CHECK(split("").empty());
  CHECK(split(" \t\u3000\u00A0").empty());
  CHECK(split("It costs 3.50 at awend.org. Buy it.") ==
        Sentences{"It costs 3.50 at awend.org.", "Buy it."});
  CHECK(split("\u4F60\u597D\u3002\u518D\u89C1\u3002", {.language = "zh"}) ==
        Sentences{"\u4F60\u597D\u3002", "\u518D\u89C1\u3002"});
}

TEST_CASE("an abbreviation does not end a sentence") {
  CHECK(split("Mr. Smith met J. R. Tolkien. They talked.") ==
        Sentences{"Mr. Smith met J. R. Tolkien.", "They talked."});
  CHECK(split("Das ist z.B. Wasser. Es ist kalt.", {.language = "de"}) ==
        Sentences{"Das ist z.B. Wasser.", "Es ist kalt."});
  CHECK(split("(A. Smith) left. B") == Sentences{"(A. Smith) left.", "B"});
}

TEST_CASE("Moses' lists add abbreviations") {
  const Scratch scratch;
  scratch.write("nonbreaking_prefix.en", "Xyz\nArt #NUMERIC_ONLY#\n");
  const SentenceSettings settings{.prefixes = scratch.folder()};
  const std::string line = "See Xyz. Smith. Take Art. 5 Now. He likes Art. Then he left.";
  CHECK(split(line) ==
        Sentences{"See Xyz.", "Smith.", "Take Art.", "5 Now.", "He likes Art.", "Then he left."});
  CHECK(split(line, settings) ==
        Sentences{"See Xyz. Smith.", "Take Art. 5 Now.", "He likes Art.", "Then he left."});
  CHECK(message_of([] { split("a", {.prefixes = "/nowhere"}); }).find("/nowhere") !=
        std::string::npos);
}

TEST_CASE("sentences contain all of a line but white space") {
  SentenceBreaker breaker({});
  const std::string line = "A b.C d. E... f? \u00BFQu\u00E9? G! \u2028 H. (I j.) \U0001F600. K";
  std::string text, joined;
  for (const char c : line) {
    if (c != ' ') text += c;
  }
  for (const std::string_view sentence : breaker.split(line)) {
    CHECK_FALSE(sentence.starts_with(' '));
    CHECK_FALSE(sentence.ends_with(' '));
    for (const char c : sentence) {
      if (c != ' ') joined += c;
    }
  }
  const std::string separator = "\u2028";
  text.erase(text.find(separator), separator.size());
  CHECK(joined == text);
}

TEST_CASE("sentences are separated by a space where the language has spaces") {
  CHECK(sentence_separator("de") == " ");
  CHECK(sentence_separator("ja").empty());
  CHECK(sentence_separator("zh-TW").empty());
}

}  // namespace
