// Vocabularies from existing SentencePiece models and subword-nmt codes. Test:
// tests/unit/text/import_test.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/subword_nmt/encoder.hpp"
#include "text/vocabulary.hpp"

namespace awend::text {

/// Sequence models need an end-of-sentence symbol; text can be tokenized without one.
enum class EndOfSentence { kRequired, kOptional };

/// The vocabulary of a SentencePiece model, with the pieces and ids of the model.  Error "name:
/// what" if the bytes are not a model, or lack a required end-of-sentence symbol.
Vocabulary import_model(std::string_view bytes, const std::string& name,
                        EndOfSentence end_of_sentence = EndOfSentence::kRequired);

struct ImportedCodes {
  std::string codes;  // the text of the codes file
  std::string separator = "@@";
  std::vector<std::string> glossaries = {};
  /// The pieces of the vocabulary, in order.  Encoding splits all other pieces again; characters
  /// that are not in the list are unknown.
  std::vector<PieceCount> pieces = {};
  std::string name = "codes";         // of the file, for errors
  std::string pieces_name = "codes";  // of the file that lists the pieces, or of the codes
};

/// The vocabulary of codes: `<unk>`, `</s>`, and the pieces.  Throws Error if the codes or a piece
/// are not valid UTF-8, because symbols are bytes: a vocabulary file could not contain them; and if
/// a piece is in the list twice.
Vocabulary import_codes(const ImportedCodes& imported);

/// The encoder of a vocabulary of type kSubwordNmt.  Throws Error if its codes are invalid.
SubwordNmtModel subword_nmt_model(const VocabularyContent& content);

}  // namespace awend::text
