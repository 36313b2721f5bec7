// Pieces with white space in token lines.
#include "text/sentencepiece/printed_pieces.hpp"

#include "tests/catch.hpp"
#include "tests/unit/text/sentencepiece/sentencepiece_model.hpp"
#include "text/import.hpp"
#include "text/sentencepiece/model.hpp"
#include "text/token_codec.hpp"

namespace {

using namespace awend::text;
using awend::tests::ModelKind;
using awend::tests::piece_field;

TEST_CASE("white space in pieces is printed as other characters") {
  const PrintedPieces pieces({"▁a", "New York", "\n", "\n\n", "a\tb", " ", "x y", "x▁y"});
  const auto round_trip = [&](std::string_view piece, std::string_view token) {
    CHECK(pieces.printed(piece) == token);
    CHECK(pieces.piece(token) == piece);
  };
  round_trip("▁a", "▁a");
  round_trip("New York", "New▁York");
  round_trip("\n", "\u240A");
  round_trip("\n\n", "\u240A\u240A");
  round_trip("a\tb", "a\tb");
  round_trip(" ", "▁");
  // Another piece has the text.
  round_trip("x▁y", "x▁y");
  round_trip("x y", "x<0x20>y");
  // Text of a model that does not escape spaces.
  CHECK(pieces.printed("z z") == "z▁z");
}

TEST_CASE("a model with white space in symbols is a vocabulary") {
  for (const auto kind :
       {ModelKind::kUnigram, ModelKind::kBpe, ModelKind::kWord, ModelKind::kCharacter}) {
    const std::string bytes = awend::tests::small_model(kind) + piece_field("New York", 0, 4) +
                              piece_field("a\tb", 0, 4) + piece_field("New▁York", 0, 4) +
                              piece_field("\n\n", 0, 4) + piece_field(" ", 0, 4);
    const Vocabulary imported = import_model(bytes, "model");
    // The file of the vocabulary, and a checkpoint, contain the printed pieces.
    const Vocabulary vocabulary = Vocabulary::parse(imported.serialize(), "file");
    CHECK(vocabulary.piece(7) == "\u240A");
    CHECK(vocabulary.piece(8) == "New<0x20>York");
    CHECK(vocabulary.piece(9) == "a\tb");
    CHECK(vocabulary.piece(11) == "\u240A\u240A");
    CHECK(vocabulary.piece(12) == "<0x20>");  // U+2581 is another piece
    const TokenCodecModel model(vocabulary);
    const auto codec = model.make();
    const auto decoded = [&](std::string_view tokens) {
      std::string line;
      codec->decode(tokens, line);
      return line;
    };
    const auto decoded_ids = [&](const Ids& ids) {
      std::string line;
      codec->decode_ids(ids, line);
      return line;
    };
    CHECK(decoded_ids({8, 9}) == "New Yorka\tb");
    CHECK(decoded("New<0x20>York a\tb") == "New Yorka\tb");
    CHECK(decoded("▁a \u240A\u240A ▁a") == decoded_ids({3, 11, 3}));
    std::string tokens;
    if (kind != ModelKind::kWord) {
      codec->encode("a\tb New York", 1, tokens);
      CHECK(tokens == "▁ a\tb ▁ New▁York");
    }
  }
}

TEST_CASE("vocabularies of earlier versions have U+FFFD for a line feed") {
  std::string text =
      import_model(awend::tests::small_model(ModelKind::kUnigram), "model").serialize();
  const std::size_t at = text.find("\u240A\t0\n");
  REQUIRE(at != text.npos);
  text.replace(at, 3, "\uFFFD");
  CHECK(Vocabulary::parse(text, "file").size() == 8);
}

}  // namespace
