// The segmentation of normalized text by a SentencePiece model of type unigram: the sequence of
// pieces with the highest sum of scores (Kudo, 2018), by Viterbi's algorithm.
//
// The library adds scores as floats from the beginning of a line, so that almost equal
// segmentations of a word may be ranked differently in different lines.  The certainty of a word's
// segmentation bounds the lines in which it does not depend on this.
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

/// The pieces and their scores.  Immutable, so threads may share it.
class PieceScores {
 public:
  explicit PieceScores(const SentencePieceContent& content);

  const PieceTrie& trie() const { return trie_; }
  /// The score of a piece that covers this number of bytes.
  double score(std::uint32_t id, std::size_t size_bytes) const {
    const Score& score = scores_[id];
    return score.is_symbol ? static_cast<double>(static_cast<float>(size_bytes) * highest_) - 0.1
                           : static_cast<double>(score.value);
  }
  float unknown_score() const { return unknown_score_; }
  std::uint32_t unknown() const { return unknown_; }
  /// False if a score is greater than 0, so that sums are not bounded by their parts.
  bool are_bounded() const { return bounded_; }

 private:
  struct Score {
    float value;
    bool is_symbol;  // user-defined, and therefore preferred
  };

  PieceTrie trie_;
  std::vector<Score> scores_;  // by id
  float highest_ = 0, unknown_score_ = 0;
  std::uint32_t unknown_ = 0;
  bool bounded_ = true;
};

/// The score of a segmentation, and how certain it is.
struct PathScore {
  float sum = 0;
  /// The segmentation is the same in every line with a smaller sum of the absolute scores up to
  /// the end of this text; 0: in no other.
  float certain_below = 0;
};

/// Each thread has its own.  The scores must outlive it.
class PieceLattice {
 public:
  explicit PieceLattice(const PieceScores& scores) : scores_(scores) {}

  /// Appends the pieces of a text of less than 4 GiB that begins a line.
  PathScore segment(std::string_view text, PieceSpans& spans);

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  // The best path that ends at a byte.
  struct Node {
    float score = 0;
    float second = -std::numeric_limits<float>::infinity();  // of the best other last piece
    std::uint32_t begin = kNone;                             // of the last piece
    std::uint32_t id = 0;
  };

  void extend(std::size_t end, double score, std::uint32_t begin, std::uint32_t id);
  PathScore trace(std::size_t size_bytes, PieceSpans& spans) const;

  const PieceScores& scores_;
  std::vector<Node> nodes_;
};

}  // namespace awend::text
