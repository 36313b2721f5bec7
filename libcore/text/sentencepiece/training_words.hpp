// The words of a text from which SentencePiece learns: normalized, each with U+2581 before it, and
// with a boundary for each special symbol, where no piece begins or ends.
//
// Test: tests/unit/text/sentencepiece/pair_trainer_test.cpp.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "text/sentencepiece/normalizer.hpp"
#include "text/symbols.hpp"

namespace awend::text {

/// Immutable, so threads may share it.
class TrainingWords {
 public:
  /// Version 0.2.3 has this one; earlier versions have the tab.
  static constexpr char kBoundary = '\x1F';

  TrainingWords(const NormalizerSettings& settings, const std::vector<std::string>& symbols);

  /// True for a line that SentencePiece ignores, because of the character that it uses itself.
  static bool is_ignored(std::string_view line) { return line.find("\u2585") != line.npos; }
  /// True if the words of this line are those of its parts between spaces.
  bool can_split(std::string_view line) const {
    return can_split_ && line.find(kSpaceMarker) == line.npos;
  }

  /// Calls visit(word) for the words of a line; `scratch` contains them.
  template <class Visit>
  void for_each(std::string_view line, std::string& scratch, const Visit& visit) const {
    normalize(line, scratch);
    const std::string_view text = scratch;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t next = text.find(kSpaceMarker, begin + 1);
      visit(text.substr(begin, next - begin));
      begin = std::min(next, text.size());
    }
  }

 private:
  void normalize(std::string_view line, std::string& out) const;

  PieceNormalizer normalizer_;
  PieceTrie symbols_;
  bool can_split_ = true;
};

}  // namespace awend::text
