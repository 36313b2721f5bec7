#include "base/error.hpp"
#include "tests/catch.hpp"
#include "text/subword_nmt/learn.hpp"

namespace {

using namespace awend::text;

WordList words(std::initializer_list<std::string_view> lines) {
  WordCounter counter({.rule = WordRule::kSpaces});
  for (const std::string_view line : lines) counter.add(0, line);
  return counter.finish();
}

std::string learnt(const WordList& list, const SubwordNmtLearnSettings& settings) {
  return print_codes(learn_codes(list.words(), settings));
}

TEST_CASE("the most frequent pair, the greatest among equals, until one is too rare") {
  // (a, b</w>) occurs three times; then (x, y</w>) and (a, c) twice.
  const auto text = words({"ab ab ab", " ac acd  ", "xy xy\r\n"});
  CHECK(learnt(text, {}) == "#version: 0.2\na b</w>\nx y</w>\n");
  CHECK(learnt(text, {.merges = 1}) == "#version: 0.2\na b</w>\n");
  CHECK(learnt(text, {.min_frequency = 3}) == "#version: 0.2\na b</w>\n");
  CHECK(learnt(text, {.min_frequency = 1}) ==
        "#version: 0.2\na b</w>\nx y</w>\nc d</w>\na cd</w>\na c</w>\n");
}

TEST_CASE("characters may count as merges, within words and at their ends apart") {
  const auto text = words({"ab ab aa aa"});  // a; b</w>, a</w>
  CHECK(learnt(text, {.merges = 4, .total_symbols = true}) == "#version: 0.2\na b</w>\n");
  CHECK(learnt(text, {.merges = 2, .total_symbols = true}) == "#version: 0.2\n");
}

TEST_CASE("symbols may be learned from bytes") {
  const auto text = words({"äx äx"});
  CHECK(learnt(text, {.bytes = true}) == "#version: 0.2 byte\n\xC3 \xA4\n\xC3\xA4 x</w>\n");
  CHECK(learnt(text, {}) == "#version: 0.2\nä x</w>\n");
}

TEST_CASE("a dictionary represents a text") {
  WordList dictionary(std::pmr::get_default_resource());
  dictionary.add(read_dictionary("ab 3\nxy 2\n", "file"));
  CHECK(learnt(dictionary, {}) == learnt(words({"ab ab ab xy xy"}), {}));
  CHECK_THROWS_WITH(read_dictionary("ab 3\nxy\n", "file"),
                    "file:2: expected a word, one space and its count");
}

TEST_CASE("a vocabulary of pieces comes from the counts of words") {
  OrderedCounts text;
  for (const char* line : {"ab abc", "ab"}) count_tokens(line, text);
  const SubwordNmtModel model(parse_codes("#version: 0.2\na b</w>\n", "file"));
  SubwordNmt encoder(model);
  CHECK(print_counts(count_pieces(text, encoder)) == "ab 2\na@@ 1\nb@@ 1\nc 1\n");
}

}  // namespace
