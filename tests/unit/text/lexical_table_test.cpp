// Tables of lexical probabilities.
#include "text/lexical_table.hpp"

#include "base/error.hpp"
#include "tests/catch.hpp"

namespace awend::text {
namespace {

Vocabulary words(const std::vector<std::string>& own) {
  VocabularyContent content;
  content.type = VocabularyType::kTokens;
  content.pieces = {{"</s>"}, {"<unk>"}};
  for (const auto& word : own) content.pieces.push_back({word});
  content.end_of_sentence = 0;
  content.unknown = 1;
  return Vocabulary(content);
}

std::vector<Ids> read(std::string_view table, const LexicalLimits& limits = {}) {
  base::LineReader in(base::InputFile("lex", table));
  return read_lexical_table(in, words({"a", "b"}), words({"A", "B", "C"}), limits);
}

std::string error_of(std::string_view table) {
  try {
    read(table);
  } catch (const base::Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a lexical table lists the most probable words") {
  const std::string table = "A a 0.2\nB a 0.3\nC a 0.5\nC b 0.1\n</s> </s> 1\n";
  CHECK(read(table) == std::vector<Ids>{{0}, {}, {2, 3, 4}, {4}});
  CHECK(read(table, {.best = 2}) == std::vector<Ids>{{0}, {}, {3, 4}, {4}});
  CHECK(read(table, {.best = 2, .threshold = 0.3}) == std::vector<Ids>{{0}, {}, {4}, {}});
  CHECK(read(table, {.best = 0}) == std::vector<Ids>(4));
}

TEST_CASE(
    "lines without words of the vocabularies are skipped, and the last line of a pair counts") {
  CHECK(read("A a 0.9\nX a 1\nB y 1\nNULL a 1\nA NULL 1\nB a 0.5\nA a 0.1\n", {.best = 1}) ==
        std::vector<Ids>{{}, {}, {3}, {}});
  CHECK(read("A\ta  0.5\r\n") == std::vector<Ids>{{}, {}, {2}, {}});
  // Of equally probable words, those with the higher ids.
  CHECK(read("A a 0.5\nB a 0.5\n", {.best = 1}) == std::vector<Ids>{{}, {}, {3}, {}});
}

TEST_CASE("wrong lexical tables are refused") {
  CHECK(error_of("A a 0.5\nA a\n") == "lex:2: expected 'TARGET SOURCE PROBABILITY', found 'A a'");
  CHECK(error_of("A a 0.5 b\n").starts_with("lex:1: "));
  CHECK(error_of("A a nan\n").starts_with("lex:1: "));
  CHECK(error_of("A a -1\n").starts_with("lex:1: "));
  CHECK(error_of("A a inf\n").starts_with("lex:1: "));
  CHECK(error_of("") == "lex: no lines");
  CHECK(error_of("x y 1\n") ==
        "lex: the vocabularies have the words of no line; is it for another model?");
  CHECK(looks_lexical("A a 0.5"));
  CHECK_FALSE(looks_lexical("A"));
  CHECK_FALSE(looks_lexical("A a b"));
}

}  // namespace awend::text
