// From the characters of a word to pieces of a vocabulary, before anything is put together.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/vocabulary.hpp"

namespace awend::text {

/// How U+0020 is written in a piece: U+2581, so that pieces can be separated by spaces.
inline constexpr std::string_view kSpaceMarker = "\xE2\x96\x81";

/// True for characters that no piece may have and that are therefore always written as bytes: white
/// space and control characters, because other programs cut at them, and U+2581 itself, because it
/// stands for a space.
bool is_always_bytes(char32_t character);

/// `word` as pieces are written, with kSpaceMarker for a space; characters that are always bytes
/// stand apart, as those.
std::string printed(std::string_view word);

/// Appends the ids of the bytes of `character`.
void append_bytes(std::string_view character, Ids& ids);

/// The ids of the characters of a vocabulary of ours, by code point.
class CharacterIds {
 public:
  explicit CharacterIds(const Vocabulary& vocabulary);
  /// Appends the characters of `word`, as bytes where the vocabulary lacks them.
  void append(std::string_view word, Ids& ids) const;

 private:
  std::vector<std::uint32_t> ids_;  // 0: no piece
};

}  // namespace awend::text
