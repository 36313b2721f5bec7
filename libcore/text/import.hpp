// Vocabularies out of what people have already: models of SentencePiece, codes of subword-nmt.
// Test: tests/unit/text/import_test.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/subword_nmt/encoder.hpp"
#include "text/vocabulary.hpp"

namespace awend::text {

/// Models of sequences need an end of sentence; text can be tokenized without one.
enum class EndOfSentence { kRequired, kOptional };

/// The vocabulary of a SentencePiece model: its pieces, under its ids.  Error "name: what" where
/// the bytes are not a model, or lack a required end of sentence.
Vocabulary import_model(std::string_view bytes, const std::string& name,
                        EndOfSentence end_of_sentence = EndOfSentence::kRequired);

struct ImportedCodes {
  std::string codes;  // the file's text
  std::string separator = "@@";
  std::vector<std::string> glossaries = {};
  /// The pieces that the vocabulary is to have, the first of them first; what encoding gives beyond
  /// them is split again, and a character among them is unknown.
  std::vector<PieceCount> pieces = {};
};

/// The vocabulary of codes: `<unk>`, `</s>`, and the pieces.
Vocabulary import_codes(const ImportedCodes& imported);

/// What encodes with a vocabulary of type kSubwordNmt.  Error for codes that are none.
SubwordNmtModel subword_nmt_model(const VocabularyContent& content);

}  // namespace awend::text
