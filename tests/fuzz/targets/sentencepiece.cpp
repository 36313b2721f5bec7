// SentencePiece models, and their use.
#include "tests/fuzz/targets/target.hpp"
#include "tests/unit/text/sentencepiece/sentencepiece_model.hpp"
#include "text/sentencepiece/encoder.hpp"
#include "text/sentencepiece/model.hpp"

namespace awend::tests {

std::vector<std::string> seeds() {
  std::vector<std::string> models;
  for (const auto kind :
       {ModelKind::kUnigram, ModelKind::kBpe, ModelKind::kWord, ModelKind::kCharacter})
    models.push_back(small_model(kind));
  return models;
}

void fuzz(std::string_view input) {
  const text::SentencePieceModel model(input, "file");
  const auto tables = text::PieceTables::make(input, model);
  std::optional<text::PieceEncoder> encoder;
  if (tables) encoder.emplace(*tables, text::PieceOutput::kPieces);
  for (const std::string_view line : {"", "ab AB aaaaaaaa", "ä 日本 ½ ﬁ ａ　\u0301\t\x01"}) {
    (void)model.decode(model.encode(line));
    std::string tokens;
    if (encoder) encoder->encode(line, tokens);
  }
}

}  // namespace awend::tests
