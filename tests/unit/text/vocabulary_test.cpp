#include "text/vocabulary.hpp"

#include "base/error.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"
#include "text/token_codec.hpp"

namespace {

using namespace awend::text;
using awend::tests::message_of;

Vocabulary sample() {
  VocabularyContent content;
  content.pieces = special_pieces();
  for (const char* piece : {"▁", "a", "b", "▁a", "▁ab"}) content.pieces.push_back({piece, 7});
  content.merges = {{258, 259, 261}, {261, 260, 262}};
  return Vocabulary(std::move(content));
}

std::string without(const std::string& text, const std::string& part,
                    const std::string& instead = "") {
  const std::size_t place = text.find(part);
  REQUIRE(place != std::string::npos);
  return std::string(text).replace(place, part.size(), instead);
}

std::string complaint(const std::string& content) {
  return message_of([&] { Vocabulary::parse(content, "v"); });
}

TEST_CASE("ids: unknown, end of sentence, bytes, pieces") {
  const Vocabulary vocabulary = sample();
  CHECK(vocabulary.size() == 263);
  CHECK(vocabulary.piece(Vocabulary::kUnknown) == "<unk>");
  CHECK(vocabulary.piece(Vocabulary::kEndOfSentence) == "</s>");
  CHECK(vocabulary.piece(Vocabulary::byte_id(0)) == "<0x00>");
  CHECK(vocabulary.piece(Vocabulary::byte_id(0xAF)) == "<0xAF>");
  CHECK(vocabulary.id("▁ab") == 262);
  CHECK(vocabulary.id("none") == Vocabulary::kUnknown);
  CHECK_FALSE(vocabulary.find("none"));
  CHECK(vocabulary.count(262) == 7);
}

TEST_CASE("a vocabulary has the pieces that its merges and symbols name, and noise a range") {
  VocabularyContent content;
  content.pieces = special_pieces();
  auto merged = content, symbols = content;
  merged.merges = {{2, 3, 258}};
  symbols.user_symbols = 1;
  CHECK_THROWS_AS(Vocabulary(merged), std::logic_error);
  CHECK_THROWS_AS(Vocabulary(symbols), std::logic_error);
  const Vocabulary vocabulary = sample();
  for (const double dropout : {std::nan(""), -1.0, 2.0})
    CHECK_THROWS_AS(TokenCodecModel(vocabulary, {.dropout = dropout}), awend::base::UsageError);
}

TEST_CASE("a file gives back what was written") {
  const std::string file = sample().serialize();
  CHECK(file.starts_with(
      "awend-vocabulary 2\ntype bpe\nnormalize nfc\ncase keep\ncontrol keep\nunknown "
      "0\nend-of-sentence 1\npieces 263\n<unk>\t0\n</s>\t0\n<0x00>\t0\n"));
  CHECK(file.ends_with("▁ab\t7\nmerges 2\n▁ a\n▁a b\nend\n"));
  const Vocabulary again = Vocabulary::parse(file, "v");
  CHECK(again.serialize() == file);
  CHECK(again.merges().at(1).result == 262);
  const awend::tests::Scratch scratch;
  CHECK(Vocabulary::read(scratch.write("v", file)).serialize() == file);
}

TEST_CASE("a file with languages has version 5") {
  VocabularyContent content;
  content.type = VocabularyType::kTokens;
  for (const char* piece : {"<unk>", "</s>", "a", "deu_Latn", "__en__"})
    content.pieces.push_back({piece, 0});
  content.languages = {{"deu_Latn", 3}, {"en", 4}};
  const Vocabulary vocabulary(std::move(content));
  CHECK(vocabulary.is_language(3));
  CHECK_FALSE(vocabulary.is_language(2));
  const std::string file = vocabulary.serialize();
  CHECK(file.starts_with("awend-vocabulary 5\ntype tokens\n"));
  CHECK(file.ends_with("__en__\t0\nmodel 0\nlanguages 2\ndeu_Latn\t3\nen\t4\nend\n"));
  const auto again = Vocabulary::parse(file, "v");
  CHECK(again.content().languages == vocabulary.content().languages);
  CHECK(again.serialize() == file);
  CHECK(complaint(without(file, "en\t4", "deu_Latn\t4")) ==
        "v:17: the language 'deu_Latn' is duplicated");
  CHECK(complaint(without(file, "en\t4", "en\t3")) == "v:17: the ids of languages must ascend");
  CHECK(complaint(without(file, "en\t4", "en\t5")) == "v:17: there is no piece 5");
  CHECK(complaint(without(file, "en\t4", "en 4")) ==
        "v:17: expected the code of a language, a tab and an id");
  CHECK(complaint(without(file, "languages 2", "languages 3")) ==
        "v:18: expected the code of a language, a tab and an id");
  CHECK(complaint(without(without(file, "type tokens", "type wordpiece"), "model 0\n")) ==
        "v: piece 2 must be '<0x00>'");
}

TEST_CASE("a file with symbols has version 3") {
  VocabularyContent content;
  content.pieces = special_pieces();
  for (const char* piece : {"<2de>", "<mask>", "★", "▁", "a", "▁a"})
    content.pieces.push_back({piece, 0});
  content.control_symbols = 2;
  content.user_symbols = 1;
  content.merges = {{261, 262, 263}};
  const Vocabulary vocabulary(std::move(content));
  CHECK(vocabulary.is_control_symbol(259));
  CHECK_FALSE(vocabulary.is_control_symbol(260));
  CHECK(vocabulary.first_user_symbol() == 260);
  CHECK(vocabulary.first_learned() == 261);
  CHECK_FALSE(vocabulary.is_special(258));
  const std::string file = vocabulary.serialize();
  CHECK(file.starts_with("awend-vocabulary 3\n"));
  CHECK(file.find("end-of-sentence 1\ncontrol-symbols 2\nuser-symbols 1\npieces 264\n") !=
        std::string::npos);
  CHECK(Vocabulary::parse(file, "v").serialize() == file);
  CHECK(complaint(without(file, "user-symbols 1\n")) == "v:9: expected 'user-symbols ...'");
  CHECK(complaint(without(file, "user-symbols 1", "user-symbols 9")) ==
        "v: there are fewer pieces than symbols");
  CHECK(complaint(without(file, "user-symbols 1", "user-symbols 2")) ==
        "v: the symbol '▁' has white space, a control character or U+2581 in it");
  CHECK(complaint(without(file, "control-symbols 2", "control-symbols 3")) ==
        "v: the control symbol '★' is not like <this>");
  CHECK(complaint(without(file, "merges 1\n▁ a", "merges 1\n▁ <2de>"))
            .starts_with("v:276: '▁<2de>' is not among the pieces"));
  CHECK(complaint(without(without(file, "▁a\t0", "★★\t0"), "\n▁ a\n", "\n★ ★\n")) ==
        "v:276: a merge of pieces that do not occur in text");
}

TEST_CASE("an invalid vocabulary is refused with its line") {
  const std::string file = sample().serialize();
  CHECK(complaint("") == "v:1: not a vocabulary");
  CHECK(complaint("#version: 0.2\n") == "v:1: not a vocabulary: expected 'awend-vocabulary'");
  CHECK(complaint(without(file, "ulary 2", "ulary 1")) ==
        "v:1: version '1' of the format is unknown, expected 2, 3, 4 or 5");
  CHECK(complaint(without(file, "type bpe", "type x")) ==
        "v:2: type must be bpe, wordpiece, bert, subword-nmt, sentencepiece or tokens, got 'x'");
  CHECK(complaint(without(file, "normalize nfc\n")) == "v:3: expected 'normalize ...'");
  CHECK(complaint(without(file, "case keep", "case up")) ==
        "v:4: case must be keep or lower, got 'up'");
  CHECK(complaint(without(file, "control keep\n")) == "v:5: expected 'control ...'");
  CHECK(complaint(without(file, "unknown 0", "unknown 1")) ==
        "v: of type bpe unknown must be 0 and end-of-sentence 1");
  CHECK(complaint(without(file, "sentence 1", "sentence 999")) == "v: there is no piece 999");
  CHECK(complaint(without(file, "263", "-1")) == "v:8: '-1' is not a number");
  CHECK(complaint(without(file, "263", "3")) == "v: piece 3 must be '<0x01>'");
  CHECK(complaint(without(file, "<0x00>", "<0x0>")) == "v: piece 2 must be '<0x00>'");
  CHECK(complaint(without(file, "a\t7", "a 7")) == "v:268: expected a piece, a tab and its count");
  CHECK(complaint(without(file, "b\t7", "a\t7")) == "v:269: the piece 'a' is duplicated");
  CHECK(complaint(without(file, "▁a b", "▁a c")) == "v:274: 'c' is not among the pieces");
  CHECK(complaint(without(file, "▁a b", "▁ b")) == "v:274: '▁b' is not among the pieces");
  CHECK(complaint(without(file, "▁a b", "▁ab")) ==
        "v:274: expected two pieces and a space between them");
  CHECK(complaint(without(file, "b\t7", "\xFF\t7")) == "v:269: invalid UTF-8 at byte 1");
  CHECK(complaint(without(file, "end\n", "end\nend\n")) == "v:276: nothing may follow 'end'");
  CHECK(complaint(without(file, "type bpe", "type wordpiece")) == "v:272: expected 'end'");
}

TEST_CASE("a file that was cut short is never taken for a whole one") {
  const std::string file = sample().serialize();
  for (std::size_t size = 0; size < file.size(); ++size) {
    if (complaint(file.substr(0, size)).empty()) FAIL("taken with " << size << " bytes");
  }
}

TEST_CASE("a list of tokens keeps its ids and splits text at spaces") {
  VocabularyContent content;
  content.type = VocabularyType::kTokens;
  content.pieces = {{"</s>", 0}, {"<unk>", 0}, {"b", 0}, {"a@@", 0}};
  content.unknown = 1;
  content.end_of_sentence = 0;
  const Vocabulary vocabulary = Vocabulary::parse(Vocabulary(content).serialize(), "file");
  CHECK(vocabulary.serialize() == Vocabulary(content).serialize());
  CHECK(vocabulary.id("b") == 2);
  CHECK(vocabulary.end_of_sentence() == 0);
  for (const auto& [form, tokens] :
       {std::pair(TokenForm::kPieces, "a@@ x b"), std::pair(TokenForm::kIds, "3 1 2")}) {
    const TokenCodecModel model(vocabulary);
    std::string encoded, decoded;
    model.make(form)->encode(" a@@  x b", 1, encoded);
    CHECK(encoded == tokens);
    model.make(form)->decode("3 2", decoded);
    CHECK(decoded == (form == TokenForm::kIds ? "a@@ b" : "3 2"));
  }
}

}  // namespace
