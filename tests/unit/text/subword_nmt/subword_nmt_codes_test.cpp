#include "base/error.hpp"
#include "tests/catch.hpp"
#include "text/subword_nmt/codes.hpp"
#include "text/subword_nmt/vocabulary.hpp"

namespace {

using namespace awend::text;

using Merges = std::vector<std::pair<std::string, std::string>>;

std::string error(std::string_view content, std::optional<std::size_t> first = std::nullopt) {
  try {
    parse_codes(content, "file", first);
  } catch (const awend::base::Error& error) {
    return error.what();
  }
  return "none";
}

TEST_CASE("the first line tells the versions apart") {
  const auto codes = parse_codes("#version: 0.2\na b\nab c</w>\n", "file");
  CHECK_FALSE(codes.separate_end_of_word);
  CHECK_FALSE(codes.bytes);
  CHECK(codes.merges == Merges{{"a", "b"}, {"ab", "c</w>"}});
  const auto bytes = parse_codes("#version: 0.2 byte\n\xC3 \xA4\n", "file");
  CHECK(bytes.bytes);
  CHECK(bytes.merges == Merges{{"\xC3", "\xA4"}});
  CHECK(parse_codes("a b\nab </w>\n", "file").separate_end_of_word);
  CHECK(parse_codes("#version: 0.1\na b\n", "file").separate_end_of_word);
  const auto fast = parse_codes("a b 17\nab c</w> 3\n", "file");
  CHECK_FALSE(fast.separate_end_of_word);
  CHECK(fast.merges == Merges{{"a", "b"}, {"ab", "c</w>"}});
}

TEST_CASE("ends of lines, of the file, and the first merges only") {
  CHECK(parse_codes("#version: 0.2\r\na b\r\n c d \n\n\n", "file").merges ==
        Merges{{"a", "b"}, {"c", "d"}});
  CHECK(parse_codes("#version: 0.2\na b", "file").merges == Merges{{"a", "b"}});
  CHECK(parse_codes("#version: 0.2\n", "file").merges.empty());
  CHECK(parse_codes("#version: 0.2\na b\nc d\ne\n", "file", 2).merges.size() == 2);
  CHECK(parse_codes("#version: 0.2\na b\n", "file", 0).merges.empty());
  CHECK(parse_codes("a b\na b\n", "file", 5).merges.size() == 2);
}

TEST_CASE("an invalid merge is named with its line") {
  const std::string two = "expected two symbols with one space between, found ";
  CHECK(error("#version: 0.2\na b\nabc\n") == "file:3: " + two + "1 field");
  CHECK(error("#version: 0.2\na b\n\nc d\n") == "file:3: " + two + "1 field");
  CHECK(error("#version: 0.2\na b c\n") == "file:2: " + two + "3 fields");
  CHECK(error("a b\na b 7\n") == "file:2: " + two + "3 fields");
  CHECK(error("a b c\n") == "file:1: " + two + "3 fields");
  CHECK(error("a  b\n") == "file:1: " + two + "3 fields");
  CHECK(error("a b 7\nc d\n") ==
        "file:2: expected two symbols and a count with one space between, found 2 fields");
  CHECK(error("a b 7\nc d x\n") == "file:2: 'x' is not a number");
  CHECK(error("a  7\n") == "file:1: a symbol is empty");
  CHECK(error("") == "file:1: expected codes of subword-nmt or fastBPE, found nothing");
  CHECK(error("#version: 0.3\na b\n") ==
        "file:1: version '0.3' is unknown, expected 0.1, 0.2 or '0.2 byte'");
  CHECK(error("#version: 0.2\na \xC3\n") == "file:2: invalid UTF-8 at byte 3");
  CHECK(error("#version: 0.2\na b\nabc\n", 1) == "none");
}

TEST_CASE("codes are printed as they were read") {
  for (const std::string text :
       {"#version: 0.2\na b\nab c</w>\n", "#version: 0.2 byte\n\xC3 \xA4\n", "a b\nab </w>\n"}) {
    CHECK(print_codes(parse_codes(text, "file")) == text);
  }
}

TEST_CASE("a vocabulary is printed by count, then by first appearance, and read again") {
  OrderedCounts counts;
  count_tokens("  b a@@  c a@@ \t d\r\n", counts);
  count_tokens("", counts);
  count_tokens("c", counts);
  CHECK(print_counts(counts) == "a@@ 2\nc 2\nb 1\n\t 1\nd 1\n");
  const auto read = parse_counts("a@@ 2\r\nc 0\n", "file");
  REQUIRE(read.size() == 2);
  CHECK(read[0].piece == "a@@");
  CHECK(read[0].count == 2);
  CHECK(read[1].count == 0);
  CHECK(parse_counts("", "file").empty());
  const auto message = [](std::string_view content) {
    try {
      parse_counts(content, "file");
    } catch (const awend::base::Error& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  CHECK(message("a 1\nb\n") == "file:2: expected a piece, one space and its count");
  CHECK(message("a\t1\n") == "file:1: expected a piece, one space and its count");
  CHECK(message("a b 1\n") ==
        "file:1: 'b 1' is not a count; expected a piece, one space and its count");
  CHECK(message("a -1\n").starts_with("file:1: '-1' is not a count"));
}

}  // namespace
