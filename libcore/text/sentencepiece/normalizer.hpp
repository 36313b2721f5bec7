// The normalization of a SentencePiece model: at each position a user-defined symbol, the longest
// rule of its table, or one character; and its treatment of spaces.
//
// Test: tests/unit/text/sentencepiece/encoder_test.cpp, against the library.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "text/sentencepiece/content.hpp"
#include "text/sentencepiece/piece_trie.hpp"

namespace awend::text {

/// Immutable, so threads may share it.
class PieceNormalizer {
 public:
  /// Requires: a table that fault_of_charsmap() has accepted.
  PieceNormalizer(const NormalizerSettings& settings, const std::vector<ModelPiece>& pieces);

  /// Appends a normalized line.
  void append_line(std::string_view line, std::string& out) const;

  /// True if words between spaces can be normalized each by itself: no rule and no symbol has a
  /// space in it, runs of spaces become one, and one is put before the line.
  bool can_split() const { return can_split_; }
  /// False for a damaged table, whose rules produce invalid UTF-8.
  bool is_valid() const { return valid_; }
  /// Appends U+2581 and the normalized word; false if that has a space or U+2581 in it, or is
  /// empty, so that the whole line must be normalized.  Requires: can_split().
  bool append_word(std::string_view word, std::string& out) const;

 private:
  struct Step {
    std::string_view text;  // replaces the first bytes of the input
    std::size_t size_bytes;
  };

  Step step(std::string_view text) const;
  Step longest_rule(std::string_view text) const;
  void read_table(std::string_view table);
  bool visit_rules();
  void find_plain();

  NormalizerSettings settings_;
  std::vector<std::uint32_t> units_;  // the double array of the rules
  std::string replacements_;          // each ends in NUL
  PieceTrie symbols_;
  bool can_split_ = false, valid_ = true;
  // True for ASCII characters that stay as they are before another one.
  std::array<bool, 256> plain_{};
};

}  // namespace awend::text
