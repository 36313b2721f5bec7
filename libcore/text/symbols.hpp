// The initial pieces of a word, one per character, before merging.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/vocabulary.hpp"

namespace awend::text {

/// The spelling of U+0020 in pieces: U+2581, so that pieces can be separated by spaces.
inline constexpr std::string_view kSpaceMarker = "\xE2\x96\x81";

/// True for characters that no piece may contain and that are therefore always encoded as bytes:
/// white space and control characters, because other programs split there, and U+2581 itself,
/// because it represents a space.
bool is_always_bytes(char32_t character);

/// `word` in the spelling of pieces, with kSpaceMarker for a space; characters that are always
/// bytes are separated.
std::string printed(std::string_view word);

/// Appends the ids of the bytes of `character`.
void append_bytes(std::string_view character, Ids& ids);

/// The ids of the characters of a vocabulary of build-vocab, by code point.
class CharacterIds {
 public:
  explicit CharacterIds(const Vocabulary& vocabulary);
  /// Appends the characters of `word`; those that are not in the vocabulary as bytes.
  void append(std::string_view word, Ids& ids) const;

 private:
  std::vector<std::uint32_t> ids_;  // 0: no piece
};

}  // namespace awend::text
