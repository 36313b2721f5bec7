// SentencePiece models that are damaged: each is refused with an Error that names the file, or can
// be used; none may crash, hang or print.  The same for bytes that are something else.
#include <limits>
#include <random>

#include "base/error.hpp"
#include "tests/catch.hpp"
#include "tests/conformance.hpp"
#include "tests/unit/text/sentencepiece/sentencepiece_model.hpp"
#include "text/sentencepiece/encoder.hpp"
#include "text/sentencepiece/model.hpp"

namespace {

using awend::tests::ModelKind;
using awend::text::SentencePieceModel;

// Even with a damaged model the encoder prints what the library does.
void check_line(awend::text::PieceEncoder& encoder, const SentencePieceModel& model,
                std::string_view line) {
  for (int round = 0; round < 2; ++round) {  // the second time from the cache
    std::string own, pieces;
    encoder.encode(line, own);
    for (const std::string& piece : model.encode_pieces(line))
      pieces += (pieces.empty() ? "" : " ") + piece;
    if (own != pieces) FAIL("'" << line << "' gives '" << own << "', not '" << pieces << "'");
  }
}

// Loads and uses the bytes; true where they were refused.
bool is_refused(std::string_view bytes) {
  try {
    const SentencePieceModel model(bytes, "file");
    const auto tables = awend::text::PieceTables::make(bytes, model);
    std::optional<awend::text::PieceEncoder> encoder;
    if (tables) encoder.emplace(*tables, awend::text::PieceOutput::kPieces);
    for (const std::string_view line :
         {"", "a", "ab AB aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
          "Ein Mädchen, 日本 ½ ﬁ ａ　ｂ \u0301\u0301 \t\x01", "▁▁ ▁ <unk> <s>"}) {
      if (encoder) check_line(*encoder, model, line);
      const auto ids = model.encode(line);
      (void)model.decode(ids);
      (void)model.decode_pieces(model.encode_pieces(line));
      for (const std::uint32_t id : ids) (void)model.piece(id);
      awend::base::Random random(1);
      if (model.can_sample()) (void)model.sample(line, {.alpha = 0.5, .candidates = 8}, random);
    }
    return false;
  } catch (const awend::base::Error& error) {
    const std::string_view what = error.what();
    if (!what.starts_with("file: ") || what.find('\n') != what.npos) FAIL(what);
    return true;
  }
}

std::string flipped(std::string bytes, std::mt19937& random) {
  // At the beginning and end of a model, which describe it, and anywhere.
  const std::size_t ends[] = {bytes.size(), std::min<std::size_t>(bytes.size(), 200), 2500};
  for (std::size_t changes = 1 + random() % 4; changes > 0; --changes) {
    const std::size_t range = std::min(bytes.size(), ends[random() % 3]);
    const std::size_t from = random() % 2 ? 0 : bytes.size() - range;
    char& byte = bytes[from + random() % range];
    byte =
        random() % 2 ? static_cast<char>(byte ^ (1 << random() % 8)) : static_cast<char>(random());
  }
  return bytes;
}

void damage(const std::string& model, int cuts, int flips, std::uint32_t seed) {
  std::mt19937 random(seed);
  CHECK_FALSE(is_refused(model));
  int refused = 0;
  for (int i = 0; i < cuts; ++i)
    refused += is_refused(std::string_view(model).substr(0, random() % model.size()));
  CHECK(refused > cuts / 2);
  for (int i = 0; i < flips; ++i) refused += is_refused(flipped(model, random));
  CHECK(refused > cuts / 2 + flips / 20);
}

TEST_CASE("a damaged SentencePiece model is refused or can be used") {
  for (const auto kind :
       {ModelKind::kUnigram, ModelKind::kBpe, ModelKind::kWord, ModelKind::kCharacter})
    damage(awend::tests::small_model(kind), 500, 5000, static_cast<std::uint32_t>(kind));
}

TEST_CASE("damaged SentencePiece models of a real size", "[conformance]") {
  for (const char* name : {"m30k-bpe-4k.model", "m30k-unigram-4k.model"}) {
    const auto path = awend::tests::conformance_file(std::string("sentencepiece/") + name);
    if (!path) return;
    damage(awend::tests::read_conformance(*path), 40, 150, 7);
  }
}

TEST_CASE("what the SentencePiece library must not see") {
  using awend::tests::bytes_field;
  using awend::tests::piece_field;
  const std::string model = awend::tests::small_model(ModelKind::kUnigram);
  std::string symbols = model;
  for (std::size_t size = 1; size < 64; ++size)
    symbols += piece_field(std::string(size, 'x'), 0, 4);
  CHECK_FALSE(is_refused(symbols));
  for (std::size_t size = 64; size < 90; ++size)
    symbols += piece_field(std::string(size, 'x'), 0, 4);
  CHECK(is_refused(symbols));
  CHECK(is_refused(model + piece_field("x", std::numeric_limits<float>::quiet_NaN(), 1)));
  CHECK(is_refused(model + piece_field("", 0, 1)));
  CHECK(is_refused(model + piece_field("\xFF", 0, 1)));
  CHECK(is_refused(model + piece_field(std::string_view("x\0", 2), 0, 1)));
  CHECK(is_refused(model + piece_field("b", 0, 1)));  // twice
  // A failing self-test would print to stderr, so it is removed.
  CHECK_FALSE(is_refused(
      model + bytes_field(4, bytes_field(1, bytes_field(1, "a") + bytes_field(2, "other")))));
}

TEST_CASE("no SentencePiece model") {
  CHECK(is_refused(""));
  CHECK(is_refused("A text file.\nOf two lines.\n"));
  CHECK(is_refused(std::string_view("\x1F\x8B\x08\0\0\0\0\0\0\3", 10)));
  CHECK(is_refused(std::string(1000, '\n')));
  CHECK(is_refused(std::string(1000, '\0')));
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    std::string bytes(random() % 100, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    if (!is_refused(bytes)) FAIL("random bytes are taken for a model");
  }
}

}  // namespace
