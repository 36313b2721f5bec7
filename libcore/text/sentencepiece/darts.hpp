// The units of Darts-clone's double arrays, of which the table of a SentencePiece normalizer
// consists.  The child of node n by byte b is unit n ^ offset(units[n]) ^ b, if its label is b; the
// value of a node with a leaf is in its child by 0.
//
// Test: tests/fuzz/sentencepiece_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace awend::text::darts {

/// The unit, or the size of the array, in four bytes of the table.
inline std::uint32_t number_at(std::string_view bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = 4; i-- > 0;)
    number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
  return number;
}

inline std::uint32_t offset(std::uint32_t unit) {
  return (unit >> 10) << ((unit & (1U << 9)) >> 6);
}
inline std::uint32_t label(std::uint32_t unit) {
  return unit & ((1U << 31) | 0xFF);
}
inline bool has_leaf(std::uint32_t unit) {
  return (unit >> 8 & 1) != 0;
}
inline std::uint32_t value(std::uint32_t unit) {
  return unit & ((1U << 31) - 1);
}

}  // namespace awend::text::darts
