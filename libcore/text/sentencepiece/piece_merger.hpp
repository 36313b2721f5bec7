// The segmentation of normalized text by a SentencePiece model of type bpe: repeatedly, the two
// neighbors whose concatenation is the piece with the highest score become one; of equal scores,
// the leftmost.  O(n log n) for a text of n characters.
//
// Test: tests/unit/text/sentencepiece/encoder_test.cpp, against the library.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "text/sentencepiece/content.hpp"
#include "text/sentencepiece/piece_span.hpp"
#include "text/sentencepiece/piece_trie.hpp"

namespace awend::text {

/// The pieces by their texts.  Immutable, so threads may share it.
class PieceIndex {
 public:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  /// The content must outlive it.
  explicit PieceIndex(const SentencePieceContent& content);

  /// The id of a piece that text can produce, or kNone.
  std::uint32_t find(std::string_view text) const;
  float score(std::uint32_t id) const { return pieces_[id].score; }
  std::uint32_t unknown() const { return unknown_; }
  /// User-defined symbols, which are never merged.
  const PieceTrie& symbols() const { return symbols_; }

 private:
  // A part of the hash saves most comparisons of texts.
  struct Slot {
    std::uint32_t tag = 0;
    std::uint32_t id = kNone;
  };

  std::size_t slot_of(std::string_view text) const;

  const std::vector<ModelPiece>& pieces_;
  std::vector<Slot> slots_;  // by hash; a power of two
  PieceTrie symbols_;
  std::uint32_t unknown_ = 0;
  std::size_t longest_bytes_ = 0;
};

/// Each thread has its own.  The index must outlive it.
class PieceMerger {
 public:
  explicit PieceMerger(const PieceIndex& index) : index_(index) {}

  /// Appends the pieces of a text of less than 4 GiB.
  void segment(std::string_view text, PieceSpans& spans);

 private:
  // A run of the text; empty after it became part of the symbol on its left.
  struct Symbol {
    std::uint32_t begin, size_bytes;
    std::uint32_t previous, next;
    std::uint32_t id;
    bool is_fixed;
  };
  struct Pair {
    float score;
    std::uint32_t left, right, size_bytes, id;

    /// The order of the heap; the pair to merge first is on top.
    bool operator<(const Pair& other) const {
      return score < other.score || (score == other.score && left > other.left);
    }
  };

  void split(std::string_view text);
  void add_pair(std::string_view text, std::uint32_t left, std::uint32_t right);
  void merge(std::string_view text, const Pair& pair);

  const PieceIndex& index_;
  std::vector<Symbol> symbols_;
  std::vector<Pair> pairs_;  // a heap
};

}  // namespace awend::text
