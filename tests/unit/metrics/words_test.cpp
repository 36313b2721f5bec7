// Words, by hand and against 1400 and more outputs of sacreBLEU for each tokenizer.
#include "metrics/words.hpp"

#include "tests/catch.hpp"
#include "tests/conformance.hpp"

namespace {

using awend::metrics::Tokenizer;
using awend::metrics::tokenizer_named;
using awend::metrics::words_of;

std::string joined(std::string_view line, Tokenizer tokenizer) {
  std::string text;
  for (const auto& word : words_of(line, tokenizer)) text += (text.empty() ? "" : "|") + word;
  return text;
}

std::string by_13a(std::string_view line) {
  return joined(line, Tokenizer::k13a);
}

TEST_CASE("13a: marks are words of their own") {
  CHECK(by_13a("") == "");
  CHECK(by_13a(" \t ") == "");
  CHECK(by_13a("Hello, world!") == "Hello|,|world|!");
  CHECK(by_13a("(a/b) \"c\" [d]: e;") == "(|a|/|b|)|\"|c|\"|[|d|]|:|e|;");
  CHECK(by_13a("don't") == "don't");
  CHECK(by_13a("\\") == "\\");
}

TEST_CASE("13a: dots, commas and hyphens by the digits beside them") {
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

TEST_CASE("white space is Python's") {
  CHECK(joined("a\u00a0b\u2003c\u3000d\u0085e\x1c"
               "f",
               Tokenizer::kNone) == "a|b|c|d|e|f");
  CHECK(joined("a\u200bb\ufeffc\u180e", Tokenizer::kNone) == "a\u200bb\ufeffc\u180e");
  CHECK(joined(" a, b ", Tokenizer::kNone) == "a,|b");
  CHECK(joined(" aü, \u3000𝄞", Tokenizer::kChar) == "a|ü|,|𝄞");
}

TEST_CASE("tokenizers have names") {
  for (auto tokenizer : {Tokenizer::k13a, Tokenizer::kNone, Tokenizer::kChar}) {
    CHECK(tokenizer_named(name_of(tokenizer)) == tokenizer);
  }
  CHECK_FALSE(tokenizer_named("14a"));
}

TEST_CASE("words are sacreBLEU's, on the conformance data") {
  const auto path = awend::tests::conformance_file("sacrebleu/tokenize.jsonl");
  if (!path) return;
  std::size_t seen = 0;
  for (const auto& line : awend::tests::read_json_lines(*path)) {
    const auto tokenizer = tokenizer_named(line["tok"].get<std::string>());
    const auto in = line["in"].get<std::string>();
    if (!tokenizer || in.find('\n') != std::string::npos) continue;  // a line of ours has no LF
    ++seen;
    INFO(line["id"]);
    CHECK(words_of(in, *tokenizer) == line["tokens"].get<std::vector<std::string>>());
  }
  CHECK(seen > 1000);
}

}  // namespace
