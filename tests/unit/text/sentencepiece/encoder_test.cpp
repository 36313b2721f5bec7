// The encoder of SentencePiece models: for any text the tokens of the library.
#include "text/sentencepiece/encoder.hpp"

#include <random>
#include <sstream>

#include "base/utf8.hpp"
#include "tests/catch.hpp"
#include "tests/conformance.hpp"
#include "tests/unit/text/sentencepiece/sentencepiece_model.hpp"
#include "text/sentencepiece/model.hpp"

namespace {

using namespace awend::text;
using awend::tests::bytes_field;
using awend::tests::ModelKind;
using awend::tests::piece_field;

constexpr int kUserDefined = 4, kByte = 6;

std::string flag(char number, bool value) {
  return {static_cast<char>(number << 3), static_cast<char>(value ? 1 : 0)};
}

// The settings that change how a line is split.
struct Settings {
  ModelKind kind = ModelKind::kUnigram;
  bool byte_fallback = false;
  bool dummy_prefix = true, remove_spaces = true;
  bool space_suffix = false;
  std::vector<std::string> symbols = {};
};

std::string model_of(const Settings& settings) {
  std::string model =
      piece_field("<s>", 0, 3) + piece_field("<unk>", 0, 2) + piece_field("</s>", 0, 3);
  for (const std::string& symbol : settings.symbols) model += piece_field(symbol, 0, kUserDefined);
  for (int byte = 0; settings.byte_fallback && byte < 256; ++byte) {
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    model +=
        piece_field(std::string("<0x") + kDigits[byte / 16] + kDigits[byte % 16] + ">", 0, kByte);
  }
  // Scores of thirds: sums are rounded, and differ with the place in a line.
  float score = -1;
  for (const char* piece :
       {"▁a", "ab", "aa",  "aaa", "▁", "a",  "b",  "ba",   "▁ba", "bab", "abab",
        "0",  "00", "000", "▁0",  "ä", "日", "本", "日本", "aä",  ".",   "▁aaaa"})
    model += piece_field(piece, score -= 1.0F / 3, 1);
  std::string trainer = std::string("\x18") + static_cast<char>(settings.kind);
  trainer += std::string("\xC0\x01") + (settings.space_suffix ? '\1' : '\0');
  trainer += std::string("\x98\x02") + (settings.byte_fallback ? '\1' : '\0');
  model += bytes_field(2, trainer);
  return model +
         bytes_field(3, bytes_field(1, "small") + bytes_field(2, awend::tests::small_charsmap()) +
                            flag(3, settings.dummy_prefix) + flag(4, settings.remove_spaces));
}

std::string random_line(std::mt19937& random) {
  constexpr const char* kParts[] = {
      "a", "b",  "ab", "aa", " ", " ", " ",  "0",  "00", "ä", "日",  "本",    "A",   "AB", "\t",
      "▁", "  ", ".",  "é",  "x", "☃", "xy", "\0", "b",  "a", "<s>", "<2de>", "▁a ", "a",  "ba"};
  std::string line;
  for (std::size_t size = random() % 60; size > 0; --size)
    line += kParts[random() % std::size(kParts)];
  return line;
}

template <class Item>
std::string joined(const std::vector<Item>& items) {
  std::ostringstream out;
  for (std::size_t i = 0; i < items.size(); ++i) out << (i ? " " : "") << items[i];
  return out.str();
}

// Compares lines in one order, so that the cache is used.
void compare(const std::string& bytes, const std::vector<std::string>& lines) {
  const SentencePieceModel model(bytes, "model");
  const auto tables = PieceTables::make(bytes, model);
  REQUIRE(tables);
  PieceEncoder pieces(*tables, PieceOutput::kPieces), ids(*tables, PieceOutput::kIds);
  for (const std::string& line : lines) {
    std::string own_pieces = "before ";
    awend::text::Ids own_ids;
    pieces.encode(line, own_pieces);
    ids.encode_ids(line, own_ids);
    INFO("'" << line << "'");
    REQUIRE(own_pieces == "before " + joined(model.encode_pieces(line)));
    REQUIRE(own_ids == model.encode(line));
  }
}

TEST_CASE("the SentencePiece encoder prints the tokens of the library") {
  std::mt19937 random(3);
  std::vector<std::string> lines = {"", " ", "  a", "a  ", "a", "A", "x", "x x", "\t", "▁"};
  for (int i = 0; i < 3000; ++i) lines.push_back(random_line(random));
  for (const auto kind : {ModelKind::kUnigram, ModelKind::kBpe}) {
    for (unsigned bits = 0; bits < 16; ++bits) {
      Settings settings{.kind = kind,
                        .byte_fallback = (bits & 1) != 0,
                        .dummy_prefix = (bits & 2) == 0,
                        .remove_spaces = (bits & 4) == 0,
                        .space_suffix = (bits & 8) != 0};
      INFO("kind " << static_cast<int>(kind) << ", settings " << bits);
      compare(model_of(settings), lines);
      settings.symbols = {"<2de>", "b ", "xy", "▁▁", "ab▁a", "é"};
      compare(model_of(settings), lines);
    }
  }
}

TEST_CASE("equal segmentations depend on the line, as in the library") {
  // The sums of a + aa, aa + a and others differ only by rounding, more so late in a long line.
  std::vector<std::string> lines;
  std::string line;
  for (int i = 0; i < 400; ++i) {
    line += std::string(i % 3, ' ') + std::string(1 + i % 7, i % 2 ? 'a' : '0');
    lines.push_back(line);
  }
  compare(model_of({.kind = ModelKind::kUnigram}), lines);
}

TEST_CASE("a word longer than an entry of the cache, and a long line") {
  std::string line;
  for (int i = 0; i < 20000; ++i) line += i % 7 == 3 ? "ba" : i % 11 == 5 ? "日本" : "a";
  for (const auto kind : {ModelKind::kUnigram, ModelKind::kBpe})
    compare(model_of({.kind = kind}), {line, line + " " + line, line + " a"});
}

TEST_CASE("models that the library encodes") {
  const auto own = [](const std::string& bytes) {
    return PieceTables::make(bytes, SentencePieceModel(bytes, "model")) != nullptr;
  };
  CHECK(own(awend::tests::small_model(ModelKind::kBpe)));
  CHECK_FALSE(own(awend::tests::small_model(ModelKind::kWord)));
  CHECK_FALSE(own(awend::tests::small_model(ModelKind::kCharacter)));
  // An unused piece, and a control symbol that a character of the text would be taken for.
  for (const auto kind : {ModelKind::kUnigram, ModelKind::kBpe}) {
    CHECK_FALSE(own(piece_field("ζ", -1, 5) + awend::tests::small_model(kind)));
    CHECK(own(piece_field("ζ", 0, 3) + awend::tests::small_model(kind)) ==
          (kind == ModelKind::kUnigram));
  }
}

TEST_CASE("the SentencePiece encoder on the models of the conformance data", "[conformance]") {
  for (const char* name : {"m30k-bpe-4k.model", "m30k-unigram-4k.model"}) {
    const auto model = awend::tests::conformance_file(std::string("sentencepiece/") + name);
    if (!model) return;
    std::vector<std::string> lines;
    for (const char* text : {"adv.txt", "m30k200.de.txt", "norm.in"}) {
      std::istringstream in(awend::tests::read_conformance(
          *awend::tests::conformance_file(std::string("sentencepiece/") + text)));
      for (std::string line; std::getline(in, line);) {
        if (awend::base::find_invalid_utf8(line) == line.npos) lines.push_back(line);
      }
    }
    compare(awend::tests::read_conformance(*model), lines);
  }
}

}  // namespace
