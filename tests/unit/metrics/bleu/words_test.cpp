// Words: by hand, against 1400 and more outputs of sacreBLEU for each tokenizer, and every code
// point against the rules written out as regular expressions.
#include "metrics/bleu/words.hpp"

#include <unicode/regex.h>
#include <unicode/unistr.h>

#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <stdexcept>

#include "base/utf8.hpp"
#include "metrics/python_space.hpp"
#include "tests/catch.hpp"
#include "tests/conformance.hpp"

namespace {

using awend::metrics::BleuTokenizer;
using awend::metrics::LetterCase;
using awend::metrics::tokenizer_named;
using awend::metrics::WordCutter;

std::vector<std::string> words_of(std::string_view line, BleuTokenizer tokenizer,
                                  LetterCase letter_case = LetterCase::kMixed) {
  awend::metrics::Words words;
  WordCutter(tokenizer, letter_case).cut(line, words);
  return {words.words.begin(), words.words.end()};
}

std::string joined(std::string_view line, BleuTokenizer tokenizer) {
  std::string text;
  for (const auto& word : words_of(line, tokenizer)) text += (text.empty() ? "" : "|") + word;
  return text;
}

std::string by_13a(std::string_view line) {
  return joined(line, BleuTokenizer::k13a);
}

TEST_CASE("13a: marks are separate words") {
  CHECK(by_13a("") == "");
  CHECK(by_13a(" \t ") == "");
  CHECK(by_13a("Hello, world!") == "Hello|,|world|!");
  CHECK(by_13a("(a/b) \"c\" [d]: e;") == "(|a|/|b|)|\"|c|\"|[|d|]|:|e|;");
  CHECK(by_13a("don't") == "don't");
  CHECK(by_13a("\\") == "\\");
}

TEST_CASE("13a: dots, commas and hyphens next to digits") {
  CHECK(by_13a("1,000.5") == "1,000.5");
  CHECK(by_13a("a.b") == "a|.|b");
  CHECK(by_13a("U.S. is 3.") == "U|.|S|.|is|3|.");
  CHECK(by_13a("a,,1") == "a|,|,1");  // the second comma was used up with the first
  CHECK(by_13a("...") == ".|.|.");
  CHECK(by_13a("well-known 1-2 a-1") == "well-known|1|-|2|a-1");
  CHECK(by_13a("ü.ü ü,1") == "ü|.|ü|ü|,|1");
}

TEST_CASE("13a: entities are undone in their order, and skipped parts vanish") {
  CHECK(by_13a("&quot;a&quot;") == "\"|a|\"");
  CHECK(by_13a("&amp;lt;") == "<");
  CHECK(by_13a("&amp;quot;") == "&|quot|;");
  CHECK(by_13a("&apos;") == "&|apos|;");
  CHECK(by_13a("a<skipped>b") == "ab");
  CHECK(by_13a("<skip<skipped>ped>") == "<|skipped|>");
}

TEST_CASE("intl: punctuation and symbols of all scripts, and the end of the line is bare") {
  CHECK(joined("„1,5“ §3 – 2019.", BleuTokenizer::kIntl) == "„1,5|“|§|3|–|2019.");
  CHECK(joined("a€b ½-½ don't", BleuTokenizer::kIntl) == "a|€|b|½-½|don|'|t");
  CHECK(joined("&amp;", BleuTokenizer::kIntl) == "&|amp|;");
}

TEST_CASE(
    "zh: Chinese characters stand alone, and so do the marks that its table holds by mistake") {
  CHECK(joined("我有2.5本书,ok。", BleuTokenizer::kZh) == "我|有|2.5|本|书|,|ok|。");
  CHECK(joined("a–b “c” →", BleuTokenizer::kZh) == "a|–|b|“|c|”|→");
  CHECK(joined("𠀀𠀁", BleuTokenizer::kZh) == "𠀀𠀁");  // beyond U+FFFF, and so not in it
}

TEST_CASE("white space is Python's") {
  CHECK(joined("a\u00a0b\u2003c\u3000d\u0085e\x1c"
               "f",
               BleuTokenizer::kNone) == "a|b|c|d|e|f");
  CHECK(joined("a\u200bb\ufeffc\u180e", BleuTokenizer::kNone) == "a\u200bb\ufeffc\u180e");
  CHECK(joined(" a, b ", BleuTokenizer::kNone) == "a,|b");
  CHECK(joined(" aü, \u3000𝄞", BleuTokenizer::kChar) == "a|ü|,|𝄞");
}

TEST_CASE("lower case comes before the words") {
  using Strings = std::vector<std::string>;
  CHECK(words_of("ÄB, ΟΔΟΣ", BleuTokenizer::k13a, LetterCase::kLower) ==
        Strings{"äb", ",", "οδος"});
  CHECK(words_of("&AMP;", BleuTokenizer::k13a, LetterCase::kLower) == Strings{"&"});
}

TEST_CASE("tokenizers have names") {
  for (auto tokenizer :
       {BleuTokenizer::k13a, BleuTokenizer::kIntl, BleuTokenizer::kZh, BleuTokenizer::kChar,
        BleuTokenizer::kNone, BleuTokenizer::kSentencePiece}) {
    CHECK(tokenizer_named(name_of(tokenizer)) == tokenizer);
  }
  CHECK(tokenizer_named("flores200") == BleuTokenizer::kSentencePiece);
  CHECK_FALSE(tokenizer_named("14a"));
}

TEST_CASE("words are sacreBLEU's, on the conformance data", "[conformance]") {
  const auto path = awend::tests::conformance_file("sacrebleu/tokenize.jsonl");
  if (!path) return;
  std::size_t seen = 0;
  for (const auto& line : awend::tests::read_json_lines(*path)) {
    const auto tokenizer = tokenizer_named(line["tok"].get<std::string>());
    const auto in = line["in"].get<std::string>();
    if (!tokenizer || in.find('\n') != std::string::npos) continue;  // lines have no LF
    ++seen;
    INFO(line["id"] << " " << line["tok"]);
    CHECK(words_of(in, *tokenizer) == line["tokens"].get<std::vector<std::string>>());
  }
  CHECK(seen > 5 * 400);
}

TEST_CASE("the words of a SentencePiece model are its pieces, on the conformance data",
          "[conformance]") {
  const std::string directory = "sentencepiece/m30k-";
  for (const std::string kind : {"bpe", "unigram"}) {
    const auto path = awend::tests::conformance_file(directory + kind + "-4k.model");
    if (!path) return;
    const awend::text::SentencePieceModel model(awend::tests::read_conformance(*path), *path);
    const WordCutter cutter(BleuTokenizer::kSentencePiece, LetterCase::kMixed, &model);
    const auto read = [](const std::string& name) {
      return std::istringstream(
          awend::tests::read_conformance(*awend::tests::conformance_file(name)));
    };
    auto lines = read("sentencepiece/m30k200.de.txt");
    auto pieces = read(directory + kind + "-4k.m30k200.de.pieces");
    std::size_t seen = 0;
    awend::metrics::Words words;
    for (std::string line, expected; std::getline(lines, line); ++seen) {
      REQUIRE(std::getline(pieces, expected));
      cutter.cut(line, words);
      std::string joined;
      for (const auto word : words.words) joined += (joined.empty() ? "" : " ") + std::string(word);
      CHECK(joined == expected);
    }
    CHECK(seen == 200);
  }
}

// sacreBLEU's rules, step by step: what the fast way is held against.
class WrittenOut {
 public:
  std::vector<std::string> words_of(std::string_view line, BleuTokenizer tokenizer) {
    auto text = icu::UnicodeString::fromUTF8(std::string(awend::metrics::python_rstrip(line)));
    if (tokenizer == BleuTokenizer::k13a) {
      text = " " + text + " ";
    } else if (tokenizer == BleuTokenizer::kZh) {
      text = with_spaces_around_chinese(text);
    }
    if (tokenizer == BleuTokenizer::kIntl) {
      for (auto& rule : intl_) text = rule.applied(text);
    } else {
      for (auto& rule : mteval_) text = rule.applied(text);
    }
    return split(text);
  }

 private:
  class Rule {
   public:
    Rule(const char* pattern, const char* replacement)
        : matcher_(icu::UnicodeString::fromUTF8(pattern), 0, status_), replacement_(replacement) {}
    icu::UnicodeString applied(const icu::UnicodeString& text) {
      matcher_.reset(text);
      auto answer = matcher_.replaceAll(replacement_, status_);
      if (U_FAILURE(status_)) throw std::runtime_error(u_errorName(status_));
      return answer;
    }

   private:
    UErrorCode status_ = U_ZERO_ERROR;
    icu::RegexMatcher matcher_;
    icu::UnicodeString replacement_;
  };

  static icu::UnicodeString with_spaces_around_chinese(const icu::UnicodeString& line) {
    // Compared as texts, as in Python: two entries have two characters.
    static const std::vector<std::pair<std::u32string, std::u32string>> kRanges = {
        {U"\u3400", U"\u4db5"},
        {U"\u4e00", U"\u9fa5"},
        {U"\u9fa6", U"\u9fbb"},
        {U"\uf900", U"\ufa2d"},
        {U"\ufa30", U"\ufa6a"},
        {U"\ufa70", U"\ufad9"},
        {U"\u2000"
         U"0",
         U"\u2a6d"
         U"6"},
        {U"\u2f80"
         U"0",
         U"\u2fa1"
         U"d"},
        {U"\uff00", U"\uffef"},
        {U"\u2e80", U"\u2eff"},
        {U"\u3000", U"\u303f"},
        {U"\u31c0", U"\u31ef"},
        {U"\u2f00", U"\u2fdf"},
        {U"\u2ff0", U"\u2fff"},
        {U"\u3100", U"\u312f"},
        {U"\u31a0", U"\u31bf"},
        {U"\ufe10", U"\ufe1f"},
        {U"\ufe30", U"\ufe4f"},
        {U"\u2600", U"\u26ff"},
        {U"\u2700", U"\u27bf"},
        {U"\u3200", U"\u32ff"},
        {U"\u3300", U"\u33ff"}};
    icu::UnicodeString text;
    bool front = true;
    for (std::int32_t i = 0; i < line.length(); i = line.moveIndex32(i, 1)) {
      const auto c = line.char32At(i);
      front = front && awend::metrics::is_python_space(static_cast<char32_t>(c));
      if (front) continue;
      const std::u32string one(1, static_cast<char32_t>(c));
      const bool chinese = std::ranges::any_of(
          kRanges, [&](const auto& range) { return range.first <= one && one <= range.second; });
      if (chinese) text.append(' ');
      text.append(c);
      if (chinese) text.append(' ');
    }
    return text;
  }

  static std::vector<std::string> split(const icu::UnicodeString& text) {
    static const std::u32string kSpaces =
        U"\t\n\v\f\r\u001c\u001d\u001e\u001f \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005"
        U"\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000";
    std::vector<std::string> words;
    bool inside = false;
    for (std::int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1)) {
      const auto c = static_cast<char32_t>(text.char32At(i));
      const bool space = kSpaces.find(c) != std::u32string::npos;
      if (!space && !inside) words.emplace_back();
      if (!space) awend::base::append_code_point(words.back(), c);
      inside = !space;
    }
    return words;
  }

  Rule mteval_[4] = {{R"(([{-~\[-` -&(-+:-@/]))", " $1 "},
                     {R"(([^0-9])([.,]))", "$1 $2 "},
                     {R"(([.,])([^0-9]))", " $1 $2"},
                     {R"(([0-9])(-))", "$1 $2 "}};
  Rule intl_[3] = {
      {R"((\P{N})(\p{P}))", "$1 $2 "}, {R"((\p{P})(\P{N}))", " $1 $2"}, {R"((\p{S}))", " $1 "}};
};

constexpr BleuTokenizer kWrittenOut[] = {BleuTokenizer::k13a, BleuTokenizer::kIntl,
                                         BleuTokenizer::kZh};

TEST_CASE("every code point is cut as the rules say") {
  WrittenOut rules;
  std::size_t wrong = 0;
  const auto check = [&](const std::string& line) {
    for (const auto tokenizer : kWrittenOut) {
      if (words_of(line, tokenizer) == rules.words_of(line, tokenizer)) continue;
      if (++wrong < 3) UNSCOPED_INFO(name_of(tokenizer) << ": " << line);
    }
  };
  std::string many;
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c == '\n' || c == '&' || (c >= 0xD800 && c <= 0xDFFF)) continue;
    std::string one;
    awend::base::append_code_point(one, c);
    many += "a" + one + "b1" + one + "2." + one + "," + one + one + "-" + one + "-3" + one + ".4 ";
    if (c % 64 == 0) {
      check(one);
      check(one + ".");
      check(std::exchange(many, {}));
    }
  }
  check(many);
  CHECK(wrong == 0);
}

TEST_CASE("marks in a row are cut as the rules say") {
  const std::string_view parts[] = {"a", "1",  ".",  ",", "-", "'", "$",      " ",      "é",
                                    "½", "中", "、", "٣", "–", "€", "\u3000", "\u00a0", "("};
  WrittenOut rules;
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::string line;
    for (auto size = random() % 12; size > 0; --size) line += parts[random() % std::size(parts)];
    for (const auto tokenizer : kWrittenOut) {
      INFO(name_of(tokenizer) << ": " << line);
      REQUIRE(words_of(line, tokenizer) == rules.words_of(line, tokenizer));
    }
  }
}

}  // namespace
