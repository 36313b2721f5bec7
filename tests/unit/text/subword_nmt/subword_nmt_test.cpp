#include "base/error.hpp"
#include "tests/catch.hpp"
#include "text/subword_nmt/encoder.hpp"

namespace {

using namespace awend::text;

const std::string kCodes =
    "#version: 0.2\nl o\nlo w</w>\ne r\nlo w\nw er</w>\nlow er\nä ö</w>\nlow er</w>\n";

std::string cut(std::string_view line, const std::string& codes = kCodes,
                const SubwordNmtSettings& settings = {}) {
  const SubwordNmtModel model(parse_codes(codes, "codes"), settings);
  SubwordNmt encoder(model);
  std::string tokens, again;
  encoder.encode(line, tokens);
  encoder.encode(line, again);  // from memory
  CHECK(tokens == again);
  return tokens;
}

TEST_CASE("the end of a word is another symbol") {
  CHECK(cut("low lower lowers er") == "low low@@ e@@ r lower@@ s e@@ r");
  CHECK(cut("äö öäö äöä") == "äö ö@@ äö ä@@ ö@@ ä");
  CHECK(cut("low", "#version: 0.2\nl o\nlo w\n") == "lo@@ w");
}

TEST_CASE("in version 0.1 the end of a word is a separate symbol") {
  CHECK(cut("low lower", "l o\nlo w\nlow </w>\nlow e\n") == "low lowe@@ r");
  CHECK(cut("aa ba", "a </w>\na a\n") == "a@@ a b@@ a");
}

TEST_CASE("white space at the ends stays, within it collapses") {
  CHECK(cut("") == "");
  CHECK(cut("   ") == "   ");
  CHECK(cut(" \r a  b\r\n") == " \r a b\r\n");
  CHECK(cut("a\tb\u00A0c \r d") == "a@@ \t@@ b@@ \u00A0@@ c \r d");
}

TEST_CASE("words of one character stay, whatever is known") {
  CHECK(cut("l 日 😀 \t l") == "l 日 😀 \t l");
}

TEST_CASE("a symbol is its text, so that a literal end of word is one as well") {
  const std::string codes = "#version: 0.2\n< /\n</ w\n</w >\nb </w>\nb</w> c</w>\n";
  CHECK(cut("b</w>c", codes) == "b</w>c");
}

TEST_CASE("long words, and more words than are remembered") {
  std::string word, tokens;
  for (int i = 0; i < 30'000; ++i) {
    word += "low";
    tokens += i < 29'999 ? "low@@ " : "low";
  }
  CHECK(cut(word) == tokens);
  std::string words, expected;
  for (int i = 0; i < 70'000; ++i) {
    const std::string number = std::to_string(100'000 + i);
    words += number + "\n ";
    for (const char digit : number) expected += std::string(1, digit) + "@@ ";
    expected += "\n ";
  }
  const SubwordNmtModel model(parse_codes(kCodes, "codes"));
  SubwordNmt encoder(model);
  std::string out;
  for (std::size_t begin = 0; begin < words.size(); begin = words.find('\n', begin) + 2)
    encoder.encode(std::string_view(words).substr(begin, words.find('\n', begin) - begin), out);
  CHECK(out.size() == 70'000 * (6 + 5 * 3));
}

TEST_CASE("pieces that the vocabulary lacks are undone, merge by merge") {
  SubwordNmtSettings settings;
  settings.vocabulary = {{"low@@", 5}, {"er@@", 3}, {"lo@@", 1}, {"low", 2}, {"s", 9}};
  settings.vocabulary_threshold = 3;
  CHECK(cut("low lowers", kCodes, settings) == "l@@ o@@ w low@@ er@@ s");
  settings.vocabulary_threshold = 1;
  CHECK(cut("low lowers", kCodes, settings) == "low low@@ er@@ s");
  // Without a separator, a piece is not the same as with one.
  settings.vocabulary = {{"lowers", 1}, {"er", 1}, {"low", 1}};
  CHECK(cut("lowers low", kCodes, settings) == "l@@ o@@ w@@ e@@ r@@ s low");
  settings.vocabulary_threshold = 10;
  CHECK_THROWS_WITH(cut("low", kCodes, settings),
                    "the vocabulary has no piece with a count of at least 10");
}

TEST_CASE("of two merges with one result the first is undone") {
  SubwordNmtSettings settings;
  settings.vocabulary = {{"a@@", 1}};
  const std::string codes = "#version: 0.2\nb c\na bc\na b\nab c\n";
  CHECK(cut("abcx", codes, settings) == "a@@ b@@ c@@ x");
  settings.vocabulary = {{"bc@@", 1}};
  CHECK(cut("abcx", codes, settings) == "a@@ bc@@ x");
}

TEST_CASE(
    "undoing merges in version 0.1 leaves an empty piece, and stops at an end that stands alone") {
  SubwordNmtSettings settings;
  settings.vocabulary = {{"b", 1}};
  // As subword-nmt does; joining takes the empty piece away.
  CHECK(cut("xab y", "a b\nab </w>\n", settings) == "x@@ a@@ b@@  y");
  CHECK(cut("xab yab", "a b\nab </w>\n", {}) == "x@@ ab y@@ ab");
  CHECK(cut("xab", "a b\n", settings) == "x@@ ab");
  CHECK(cut("xabx", "a b\n", settings) == "x@@ a@@ b@@ x");
}

TEST_CASE("glossaries stay whole; what is around them ends like a word") {
  SubwordNmtSettings settings;
  settings.glossaries = {"USA", "\\d+"};
  CHECK(cut("lowUSAlow USA 12low3 USA.", kCodes, settings) ==
        "low@@ USA@@ low USA 12@@ low@@ 3 USA@@ .");
  settings.glossaries = {"("};
  CHECK_THROWS_AS(cut("a", kCodes, settings), awend::base::UsageError);
}

TEST_CASE("symbols may be bytes") {
  const std::string codes = "#version: 0.2 byte\n\xC3 \xA4</w>\n\xC3 \xA4\n";
  CHECK(cut("ä", codes) == "ä");
  CHECK(cut("ä ö äb a", codes) == "ä \xC3@@ \xB6 ä@@ b a");
}

TEST_CASE("the separator is a setting") {
  CHECK(cut("ab c", kCodes, {.separator = "￭"}) == "a￭ b c");
  SubwordNmtSettings settings{.separator = "~"};
  settings.vocabulary = {{"lo~", 1}};
  CHECK(cut("lows", kCodes, settings) == "lo~ w~ s");
}

TEST_CASE("dropout: nothing at 0, characters at 1, one random sequence for all lines") {
  const SubwordNmtModel model(parse_codes(kCodes, "codes"));
  SubwordNmt encoder(model);
  const auto with = [&](double probability, const std::vector<std::string>& lines) {
    SubwordNmtDropout dropout{probability, PythonRandom(1)};
    std::string tokens;
    for (const std::string& line : lines) {
      encoder.encode(line, dropout, tokens);
      tokens += '/';
    }
    return tokens;
  };
  CHECK(with(0, {"low lower"}) == cut("low lower") + "/");
  CHECK(with(1, {"low lower"}) == "l@@ o@@ w l@@ o@@ w@@ e@@ r/");
  const std::vector<std::string> lines(20, "low lowers");
  const std::string first = with(0.5, lines);
  CHECK(first == with(0.5, lines));
  std::string one = with(0.5, {lines[0]}), repeated;
  for (int i = 0; i < 20; ++i) repeated += one;
  CHECK(first != repeated);
}

TEST_CASE("tokens become text again") {
  const auto joined = [](std::string_view tokens, std::string_view separator = "@@") {
    std::string line;
    join_subwords(tokens, separator, line);
    return line;
  };
  CHECK(joined("") == "");
  CHECK(joined("l@@ ow er@@ s .") == "low ers .");
  CHECK(joined(" a@@ b@@  c ") == " ab c ");
  CHECK(joined("a@@ b@@") == "ab");
  CHECK(joined("a@@ b@@ ") == "ab");
  CHECK(joined("@@ @@") == "");
  CHECK(joined("a@@@ b a@@b @@@@ c") == "a@b a@@b @@c");
  CHECK(joined("a~ b", "~") == "ab");
  CHECK(joined("a b", "") == "a b");
  for (const std::string_view line : {"low lowers", "  ä日b \t x  ", "äö 12"}) {
    std::string once;
    for (std::size_t i = 0; i < line.size(); ++i)
      if (i + 3 > line.size() || line.substr(i, 2) != "  ") once += line[i];
    CHECK(joined(cut(once)) == once);
  }
}

}  // namespace
