// The tables of a SentencePiece model that PieceEncoder reads.
// Test: tests/unit/text/sentencepiece/encoder_test.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "text/sentencepiece/character_pairs.hpp"
#include "text/sentencepiece/content.hpp"
#include "text/sentencepiece/model.hpp"
#include "text/sentencepiece/normalizer.hpp"
#include "text/sentencepiece/piece_lattice.hpp"
#include "text/sentencepiece/piece_merger.hpp"

namespace awend::text {

/// Immutable, so threads may share it.
class PieceTables {
 public:
  /// Null for a model that is left to the library: of type word or char, with unused pieces or
  /// spaces that are not escaped, or with special pieces that text can produce.  Requires: the
  /// bytes of the model.
  static std::unique_ptr<const PieceTables> make(std::string_view bytes,
                                                 const SentencePieceModel& model);

  const PieceNormalizer& normalizer() const { return normalizer_; }
  const std::variant<PieceIndex, PieceScores>& pieces() const { return pieces_; }
  std::uint32_t unknown() const { return unknown_; }
  const std::string& printed(std::uint32_t id) const { return printed_[id]; }
  /// Unknown characters become bytes, whose ids are byte_id().
  bool byte_fallback() const { return content_.byte_fallback; }
  std::uint32_t byte_id(unsigned char byte) const { return byte_ids_[byte]; }
  /// True if no piece crosses the beginning of a word, so that words can be segmented one by one.
  bool has_separate_words() const { return separate_words_; }
  /// True if normalized text is valid UTF-8, so that it can be cut by neighbors().
  bool has_parts() const { return normalizer_.is_valid(); }
  const CharacterPairs& neighbors() const { return neighbors_; }

 private:
  PieceTables(SentencePieceContent content, std::vector<std::string> printed);

  const SentencePieceContent content_;
  const std::vector<std::string> printed_;
  const PieceNormalizer normalizer_;
  const std::variant<PieceIndex, PieceScores> pieces_;
  std::uint32_t unknown_ = 0;
  std::array<std::uint32_t, 256> byte_ids_{};
  bool separate_words_;
  CharacterPairs neighbors_;
};

}  // namespace awend::text
