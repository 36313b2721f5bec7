#include "text/import.hpp"

#include "base/error.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"
#include "tests/unit/text/sentencepiece/sentencepiece_model.hpp"
#include "text/token_codec.hpp"
#include "text/tokenizer.hpp"

namespace {

using namespace awend::text;
using awend::tests::message_of;

std::string encoded(const Vocabulary& vocabulary, TokenForm form, std::string_view line) {
  const TokenCodecModel model(vocabulary);
  std::string tokens;
  model.make(form)->encode(line, 1, tokens);
  return tokens;
}

std::string decoded(const Vocabulary& vocabulary, TokenForm form, std::string_view tokens) {
  const TokenCodecModel model(vocabulary);
  std::string line;
  model.make(form)->decode(tokens, line);
  return line;
}

Vocabulary codes() {
  return import_codes({.codes = "#version: 0.2\nl o\nlo w</w>\n",
                       .glossaries = {"x+"},
                       .pieces = {{"low", 3}, {"lo@@", 2}, {"s", 1}, {"<unk>", 1}}});
}

TEST_CASE("codes make a self-contained vocabulary") {
  const Vocabulary vocabulary = codes();
  CHECK(vocabulary.size() == 5);
  CHECK(vocabulary.unknown() == 0);
  CHECK(vocabulary.end_of_sentence() == 1);
  CHECK(encoded(vocabulary, TokenForm::kPieces, "low  los xx lx") == "low lo@@ s xx l@@ x");
  CHECK(encoded(vocabulary, TokenForm::kIds, "low los xx") == "2 3 4 0");
  CHECK(decoded(vocabulary, TokenForm::kPieces, "low lo@@ s") == "low los");
  CHECK(decoded(vocabulary, TokenForm::kIds, "2 3 4 0") == "low los <unk>");
  const std::string file = vocabulary.serialize();
  CHECK(file.ends_with(
      "separator @@\nglossaries 1\nx+\ncodes 3\n#version: 0.2\nl o\nlo w</w>\nend\n"));
  CHECK(Vocabulary::parse(file, "v").serialize() == file);
}

TEST_CASE("codes of bytes make a vocabulary only if it can be read") {
  const std::string ascii = "#version: 0.2 byte\nl o\nlo w</w>\n";
  const Vocabulary vocabulary = import_codes({.codes = ascii, .pieces = {{"low", 1}}});
  CHECK(Vocabulary::parse(vocabulary.serialize(), "v").size() == 3);
  const std::string what =
      "c: symbols of these codes are bytes that are not valid UTF-8, which a vocabulary cannot "
      "contain; use codes of characters";
  const auto complaint = [](const ImportedCodes& imported) {
    return message_of([&] { import_codes(imported); });
  };
  CHECK(complaint({.codes = ascii, .pieces = {{"\xC3@@", 1}}, .name = "c", .pieces_name = "p"}) ==
        "p: pieces of this list are bytes that are not valid UTF-8, which a vocabulary cannot "
        "contain; use codes of characters");
  CHECK(complaint({.codes = ascii, .pieces = {{"a", 3}, {"a", 4}}, .pieces_name = "p"}) ==
        "p: duplicate piece 'a'");
  CHECK(complaint({.codes = "#version: 0.2 byte\n\xC3 \xA4\n", .name = "c"}) == what);
}

TEST_CASE("invalid codes and glossaries are refused") {
  std::string file = codes().serialize();
  const auto with = [&](const std::string& part, const std::string& instead) {
    return std::string(file).replace(file.find(part), part.size(), instead);
  };
  const auto complaint = [](const std::string& text) {
    return message_of([&] { Vocabulary::parse(text, "v"); });
  };
  CHECK(complaint(with("\nl o\n", "\nl\n")).starts_with("v: codes:2: "));
  CHECK(complaint(with("\nx+\n", "\n(\n")).starts_with("v: "));
  CHECK(complaint(with("glossaries 1", "glossaries 2")).starts_with("v:"));
}

TEST_CASE("a model makes a vocabulary with its ids") {
  const std::string bytes = awend::tests::small_model(awend::tests::ModelKind::kUnigram);
  const Vocabulary vocabulary = import_model(bytes, "m");
  const SentencePieceModel model(bytes, "m");
  CHECK(vocabulary.size() == model.size());
  CHECK(vocabulary.end_of_sentence() == model.end_of_sentence());
  const std::string file = vocabulary.serialize();
  CHECK(Vocabulary::parse(file, "v").serialize() == file);
  const awend::tests::Scratch scratch;
  CHECK(Vocabulary::read(scratch.write("model", bytes)).serialize() == file);
  // A byte of the model that is another is noticed, as is a piece.
  std::string damaged = file;
  damaged[file.find("model ") + 20] ^= 1;
  CHECK(!message_of([&] { Vocabulary::parse(damaged, "v"); }).empty());
}

TEST_CASE("a model without an end of sentence is for text only") {
  const std::string bytes =
      awend::tests::small_model_without_end(awend::tests::ModelKind::kUnigram);
  CHECK(message_of([&] { import_model(bytes, "m"); }) ==
        "m: the model has no end-of-sentence symbol; train it with one");
  const awend::tests::Scratch scratch;
  CHECK_FALSE(message_of([&] { Vocabulary::read(scratch.write("model", bytes)); }).empty());
  const Vocabulary vocabulary = import_model(bytes, "m", EndOfSentence::kOptional);
  CHECK_FALSE(vocabulary.content().end_of_sentence);
  CHECK_FALSE(vocabulary.is_special(1));
  CHECK(encoded(vocabulary, TokenForm::kPieces, "ab a") == "▁a b ▁a");
  CHECK(encoded(vocabulary, TokenForm::kIds, "ab a") == "2 3 2");
  CHECK(decoded(vocabulary, TokenForm::kIds, "2 3 2") == "ab a");
}

TEST_CASE("a model splits text for a list of tokens with other ids") {
  const auto bytes = awend::tests::small_model(awend::tests::ModelKind::kUnigram);
  const Vocabulary pieces = import_model(bytes, "model");
  VocabularyContent content;
  content.type = VocabularyType::kTokens;
  content.model = bytes;
  content.pieces = {{"</s>", 0}, {"<unk>", 0}, {">>deu<<", 0}};
  for (std::uint32_t id = pieces.size(); id-- > 0;) {
    if (!pieces.is_special(id)) content.pieces.push_back({std::string(pieces.piece(id)), 0});
  }
  content.unknown = 1;
  content.end_of_sentence = 0;
  const Vocabulary vocabulary = Vocabulary::parse(Vocabulary(content).serialize(), "file");
  const auto expected = encoded(pieces, TokenForm::kPieces, "aA");
  CHECK(!expected.empty());
  CHECK(encoded(vocabulary, TokenForm::kPieces, "aA") == expected);
  CHECK(encoded(vocabulary, TokenForm::kPieces, ">>deu<< aA") == ">>deu<< " + expected);
  const auto ids = encoded(vocabulary, TokenForm::kIds, "aA");
  CHECK(ids != encoded(pieces, TokenForm::kIds, "aA"));
  std::string text;
  TokenCodecModel(vocabulary).make(TokenForm::kIds)->decode(ids, text);
  CHECK(text == "aa");
}

// The ids of a line, without a token line.
Ids ids_of(const Vocabulary& vocabulary, std::string_view line) {
  Ids ids;
  TokenCodecModel(vocabulary).make()->encode_ids(line, 1, ids);
  return ids;
}

TEST_CASE("the ids of a codec are those of its token lines") {
  const auto bytes = awend::tests::small_model(awend::tests::ModelKind::kUnigram);
  const Vocabulary pieces = import_model(bytes, "model");
  VocabularyContent content;
  content.type = VocabularyType::kTokens;
  content.model = bytes;
  // The list has a token that is unknown to the model.
  content.pieces = {{"</s>", 0}, {"<unk>", 0}, {"x", 0}, {">>deu<<", 0}};
  for (std::uint32_t id = pieces.size(); id-- > 0;) {
    if (!pieces.is_special(id)) content.pieces.push_back({std::string(pieces.piece(id)), 0});
  }
  content.unknown = 1;
  content.end_of_sentence = 0;
  const Vocabulary list(content);
  for (const Vocabulary& vocabulary : {codes(), pieces, list}) {
    for (const std::string_view line : {"", "low  los xx lx", "aA", "a x a", ">>deu<< a"}) {
      const auto ids = ids_of(vocabulary, line);
      CAPTURE(std::string(line), ids);
      CHECK(ids == split_pieces(vocabulary, encoded(vocabulary, TokenForm::kPieces, line)));
      std::string text;
      TokenCodecModel(vocabulary).make()->decode_ids(ids, text);
      CHECK(text == decoded(vocabulary, TokenForm::kPieces, join_pieces(vocabulary, ids)));
    }
  }
  CHECK(ids_of(list, "x").back() == 2);
}

}  // namespace
