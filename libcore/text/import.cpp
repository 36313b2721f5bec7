#include "text/import.hpp"

#include <unordered_set>

#include "base/error.hpp"
#include "base/utf8.hpp"
#include "text/sentencepiece/model.hpp"

namespace awend::text {
namespace {

void require_utf8(std::string_view text, const std::string& name, std::string_view what) {
  if (base::find_invalid_utf8(text) == std::string_view::npos) return;
  base::fail(name, ": ", what,
             " are bytes that are not valid UTF-8, which a vocabulary cannot contain; use codes of "
             "characters");
}

}  // namespace

Vocabulary import_model(std::string_view bytes, const std::string& name,
                        EndOfSentence end_of_sentence) {
  const SentencePieceModel model(bytes, name);
  const auto end = model.end_of_sentence();
  if (!end && end_of_sentence == EndOfSentence::kRequired)
    base::fail(name, ": the model has no end-of-sentence symbol; train it with one");
  VocabularyContent content;
  content.type = VocabularyType::kSentencePiece;
  content.form.normalization = Normalization::kNone;  // the model normalizes by itself
  content.unknown = model.unknown();
  content.end_of_sentence = end;
  std::unordered_set<std::string> pieces;
  for (std::uint32_t id = 0; id < model.size(); ++id) {
    const std::string piece = model.piece(id);
    if (!pieces.insert(piece).second)
      base::fail(name, ": piece ", id, " is duplicated in the model");
    content.pieces.push_back({piece, 0});
  }
  content.model = bytes;
  return Vocabulary(std::move(content));
}

Vocabulary import_codes(const ImportedCodes& imported) {
  VocabularyContent content;
  content.type = VocabularyType::kSubwordNmt;
  content.form.normalization = Normalization::kNone;
  content.separator = imported.separator;
  content.glossaries = imported.glossaries;
  content.codes = imported.codes;
  if (!content.codes.empty() && !content.codes.ends_with('\n')) content.codes += '\n';
  require_utf8(content.codes, imported.name, "symbols of these codes");
  content.pieces = {{"<unk>", 0}, {"</s>", 0}};
  std::unordered_set<std::string_view> pieces;
  for (const PieceCount& piece : imported.pieces) {
    require_utf8(piece.piece, imported.pieces_name, "pieces of this list");
    if (!pieces.insert(piece.piece).second)
      base::fail(imported.pieces_name, ": duplicate piece '", piece.piece, "'");
    if (piece.piece != "<unk>" && piece.piece != "</s>")
      content.pieces.push_back({piece.piece, piece.count});
  }
  return Vocabulary(std::move(content));
}

SubwordNmtModel subword_nmt_model(const VocabularyContent& content) {
  SubwordNmtSettings settings;
  settings.separator = content.separator;
  settings.glossaries = content.glossaries;
  settings.vocabulary.emplace();
  for (const Piece& piece : content.pieces)
    settings.vocabulary->push_back({piece.text, piece.count});
  return SubwordNmtModel(parse_codes(content.codes, "codes"), std::move(settings));
}

}  // namespace awend::text
