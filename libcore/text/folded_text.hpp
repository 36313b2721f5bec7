// Text without the differences that normalization removes, so that normalized tokens can be found
// in their line.
//
// Test: tests/unit/text/folded_text_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace awend::text {

enum class Folding : std::uint8_t {
  kNone,
  kCompatibility,  ///< NFKD and the full case folding of Unicode, character by character
  kLetters         ///< the same without nonspacing marks (Mn), such as accents
};

/// A text after folding, with the positions of its bytes in the text before.
class FoldedText {
 public:
  FoldedText(std::string_view utf8, Folding folding);

  const std::string& text() const { return text_; }
  /// The byte of the original text at which a byte of the folded one begins, or its size at the
  /// end; nothing within a character that has changed.  Requires: `at` ≤ the size of text().
  std::optional<std::size_t> origin(std::size_t at) const;

 private:
  std::string text_;
  std::vector<std::size_t> origins_;  // empty: the text is unchanged
};

}  // namespace awend::text
