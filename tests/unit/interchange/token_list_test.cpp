#include "interchange/token_list.hpp"

#include "base/error.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace {

using namespace awend::interchange;
using awend::tests::message_of;
using Tokens = std::vector<std::string>;

TEST_CASE("tokens of Marian's YAML are read with quotes, escapes and long keys") {
  CHECK(tokens_of_yaml("</s>: 0\n<unk>: 1\n\"\\\"\": 2\n'it''s': 3\n\"\\x85\": 4\n? long\n: 5\n"
                       "\":\": 6\na:b: 7\n") ==
        Tokens{"</s>", "<unk>", "\"", "it's", "\u0085", "long", ":", "a:b"});
  CHECK(tokens_of_yaml("a: 1\nb: 0") == Tokens{"b", "a"});
  CHECK(message_of([] { tokens_of_yaml("a: 0\nb: 0\n"); }) == "line 2: id 0 is duplicated");
  CHECK(message_of([] { tokens_of_yaml("a: 9\n"); }) == "line 1: token 'a' has id 9 of 2 tokens");
  CHECK(message_of([] { tokens_of_yaml("a\n"); }) == "line 1: expected a token, a colon and an id");
}

TEST_CASE("tokens of JSON and of lines") {
  CHECK(tokens_of_json(R"({"b": 0, "a": 1})") == Tokens{"b", "a"});
  CHECK(message_of([] { tokens_of_json(R"({"b": 1, "a": 1})"); }) == "id 1 is duplicated");
  CHECK(tokens_of_lines("a 3\r\nb c 4", ' ') == Tokens{"a", "b c"});
  CHECK(tokens_of_lines("a 3\n") == Tokens{"a 3"});
}

TEST_CASE("languages of a list are found by their form") {
  TokenList list;
  list.tokens = {"<unk>", "</s>", "deu_Latn", "__en__", "a", "fra_Latn"};
  find_languages(list);
  CHECK(list.languages ==
        std::vector<awend::text::Language>{{"deu_Latn", 2}, {"en", 3}, {"fra_Latn", 5}});
  CHECK(vocabulary_of(list).is_language(5));
  list.tokens[3] = list.tokens[2];
  find_languages(list);
  CHECK(message_of([&] { vocabulary_of(list); }) ==
        "the token of language 'deu_Latn' is duplicated");
  // Words of a text.
  list.tokens[3] = "en";
  find_languages(list);
  CHECK(list.languages.empty());
}

TEST_CASE("tokens that no line can contain are replaced") {
  TokenList list;
  list.tokens = {"<unk>", "</s>", "", "a b", "x", "x", "\xff"};
  const auto vocabulary = vocabulary_of(list);
  CHECK(vocabulary.size() == 7);
  CHECK(vocabulary.unknown() == 0);
  CHECK(vocabulary.piece(2) == "<id:2>");
  CHECK(vocabulary.piece(3) == "<id:3>");
  CHECK(vocabulary.id("x") == 4);
  CHECK(vocabulary.piece(5) == "<id:5>");
  CHECK(vocabulary.piece(6) == "<id:6>");
  list.unknown = "UNK";
  CHECK(message_of([&] { vocabulary_of(list); }) ==
        "the vocabulary has no token 'UNK' for unknown tokens");
}

}  // namespace
