// A piece of a normalized text.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace awend::text {

struct PieceSpan {
  std::uint32_t begin, size_bytes;
  std::uint32_t id;  // that of the unknown piece for a character without a piece
};

using PieceSpans = std::vector<PieceSpan>;

/// The bytes of the first character of a text that is not empty, as SentencePiece counts them: by
/// its first byte only, because rules of a normalizer may produce invalid UTF-8.
inline std::size_t first_character_bytes(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t size = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  return std::min(size, text.size());
}

}  // namespace awend::text
