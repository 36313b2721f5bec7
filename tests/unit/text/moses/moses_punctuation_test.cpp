// Moses' normalize-punctuation: short lines, then the output of the script for the conformance
// data.
#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "tests/conformance.hpp"
#include "text/moses/punctuation.hpp"

namespace {

using awend::text::MosesPunctuation;

std::string normal(const std::string& language, std::string_view line) {
  std::string out;
  MosesPunctuation(language).normalize(line, out);
  return out;
}

TEST_CASE("moses punctuation: spaces") {
  CHECK(normal("en", "") == "");
  CHECK(normal("en", "a(b)c ( d ) . e  f\r") == "a (b) c (d). e f");
  CHECK(normal("en", "5 % x % a : b ; c") == "5% x % a: b; c");
  CHECK(normal("en", "5\u00A0% a\u00A0: nº\u00A0b 5\u00A0ºC 5\u00A0cm a\u00A0?") ==
        "5% a: nº b 5 ºC 5 cm a?");
  CHECK(normal("en", "1\u00A0000\u00A0000 1\u00A02\u00A03") == "1.000.000 1.2\u00A03");
  CHECK(normal("fr", "1\u00A0000") == "1,000");
  CHECK(normal("it", "x\u00A0y") == "x\u00A0y");
}

TEST_CASE("moses punctuation: quotes, dashes, dots") {
  CHECK(normal("en", "„a“ ”b ‘c’ d’s ‚e é’a") == "\"a\" \"b 'c\" d's 'e é\"a");
  CHECK(normal("en", "`a' ``b'' a–b a—b …") == "'a' \" b \" a-b a - b ...");
  CHECK(normal("fr", "\u00A0«\u00A0a\u00A0»\u00A0b «c»") == " \"a\" b \"c\"");
  CHECK(normal("en", "\"a\", \"b\". \"c\"...") == "\"a,\" \"b.\" \"c...\"");
  CHECK(normal("de", "\"a,\" \"b.\" x \"c...\"") == "\"a\", \"b\". x \"c\"...");
  CHECK(normal("de", "a.\"<b> a.\" <b> .\".\"x") == "a.\"<b> a\". <b> \"..\"x");
  CHECK(normal("cs", "\"a,\" \"b\".") == "\"a,\" \"b\".");
}

TEST_CASE("moses punctuation: a line may be long") {
  // Were any step quadratic, this would not end.
  for (const std::string_view part : {".", "\"", ".\"", ".\"<", ",\"", " ", "'", "‘a", "1\u00A0"}) {
    std::string line;
    while (line.size() < 2'000'000) line += part;
    CHECK(normal("en", line).size() <= line.size() + 1);
    CHECK(normal("de", line).size() <= line.size() + 1);
  }
}

TEST_CASE("moses punctuation: what the script prints for the conformance data", "[conformance]") {
  const auto list = awend::tests::conformance_file("moses/cases.jsonl");
  if (!list) return;
  const auto content = [](const std::string& name) {
    return awend::tests::read_conformance(*awend::tests::conformance_file("moses/" + name));
  };
  int cases = 0;
  for (const auto& item : awend::tests::read_json_lines(*list)) {
    if (item["script"] != "tokenizer/normalize-punctuation.perl") continue;
    ++cases;
    INFO(item);
    REQUIRE(item["args"].size() == 2);
    MosesPunctuation punctuation(item["args"][1].get<std::string>());
    const std::string input = content(item["stdin"]);
    std::string output;
    for (std::size_t begin = 0; begin < input.size();) {
      const std::size_t end = std::min(input.find('\n', begin), input.size());
      punctuation.normalize(std::string_view(input).substr(begin, end - begin), output);
      output += '\n';
      begin = end + 1;
    }
    CHECK((output == content(item["stdout"])));
  }
  CHECK(cases == 14);
}

}  // namespace
