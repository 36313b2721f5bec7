// Encoding lines with a SentencePiece model as token lines or ids, with the results of spm_encode
// at several times its speed: words that occur again are looked up.
//
// Test: tests/unit/text/sentencepiece/encoder_test.cpp, against the library.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "text/sentencepiece/piece_lattice.hpp"
#include "text/sentencepiece/piece_merger.hpp"
#include "text/sentencepiece/tables.hpp"
#include "text/vocabulary.hpp"
#include "text/word_cache.hpp"

namespace awend::text {

enum class PieceOutput { kPieces, kIds };

/// Each thread has its own.  The tables must outlive it.
class PieceEncoder {
 public:
  PieceEncoder(const PieceTables& tables, PieceOutput output);

  /// Appends the tokens of a line, separated by spaces.  Requires: valid UTF-8.  Error for a line
  /// of more than 1 GiB.  Requires: kPieces.
  void encode(std::string_view line, std::string& tokens);
  /// Appends the ids of a line.  Requires: kIds.
  void encode_ids(std::string_view line, Ids& ids);

 private:
  enum class Outcome {
    kDone,
    kUnsplit,    // a word must be normalized with its neighbors
    kUncertain,  // the words before a word may change its segmentation
  };

  // The tokens of a part of a line: pieces with spaces between them, or the bytes of ids.
  struct Tokens {
    std::string_view text;
    PathScore score = {};         // of a unigram model
    bool begins_unknown = false;  // the first token is unknown, and continues an unknown one
    bool ends_unknown = false;
  };

  void encode_line(std::string_view line, std::string& tokens);
  void begin_line(std::string& tokens);
  Outcome encode_words(std::string_view line, std::string& tokens);
  Outcome encode_word(std::string_view word, std::string& tokens);
  Outcome encode_parts(std::string_view text, std::string& tokens);
  void normalize(std::string_view line);
  Tokens cached(std::string_view entry) const;
  Tokens segment(std::string_view text);
  void print(std::string_view text);
  void print_unknown(std::string_view text);
  void print_id(std::uint32_t id);
  std::string_view separator() const { return output_ == PieceOutput::kPieces ? " " : ""; }
  bool append(const Tokens& part, std::string& tokens);

  const PieceTables& tables_;
  const PieceOutput output_;
  std::optional<PieceMerger> merger_;    // bpe
  std::optional<PieceLattice> lattice_;  // unigram
  WordCache words_;                      // as in the line
  std::optional<WordCache> parts_;       // of normalized text; since the first long word
  // The tokens of the present line so far.
  std::size_t tokens_begin_ = 0;
  bool ends_unknown_ = false;
  float magnitude_ = 0;  // sum of the absolute scores
  std::string normalized_, entry_, bytes_;
  PieceSpans spans_;
};

}  // namespace awend::text
