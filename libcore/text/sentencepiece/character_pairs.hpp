// Which characters are neighbors within a piece: elsewhere a text can be cut, and its parts be
// segmented one by one.
//
// A filter of constant size (Bloom, 1970): of a vocabulary of 250,000 pieces it accepts a tenth of
// the other pairs, which only makes parts longer.
// Test: tests/unit/text/sentencepiece/encoder_test.cpp.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/utf8.hpp"

namespace awend::text {

class CharacterPairs {
 public:
  CharacterPairs() : bits_(kBits / 64) {}

  /// Adds the neighbors in a piece.
  void add(std::string_view piece) {
    for_each(piece, [&](std::uint64_t bit, std::size_t) {
      bits_[bit / 64] |= std::uint64_t{1} << bit % 64;
    });
  }

  /// Calls visit(part) for the parts of valid UTF-8 that no piece connects, until it returns false.
  /// Returns false if it did.
  template <class Visit>
  bool for_each_part(std::string_view text, const Visit& visit) const {
    std::size_t begin = 0;
    bool continues = true;
    for_each(text, [&](std::uint64_t bit, std::size_t at) {
      if (!continues || (bits_[bit / 64] >> bit % 64 & 1) != 0) return;
      continues = visit(text.substr(begin, at - begin));
      begin = at;
    });
    return continues && (begin == text.size() || visit(text.substr(begin)));
  }

 private:
  static constexpr std::uint64_t kBits = 1 << 21;

  // Calls visit(bit of two neighbors, position of the second).
  template <class Visit>
  static void for_each(std::string_view text, const Visit& visit) {
    char32_t before = 0;
    for (std::size_t at = 0; at < text.size();) {
      const base::Utf8Step step = base::utf8_step(text, at);
      if (at > 0) visit(bit_of(before, step.code_point), at);
      before = step.code_point;
      at += step.size_bytes;
    }
  }

  static std::uint64_t bit_of(char32_t left, char32_t right) {
    const std::uint64_t pair = std::uint64_t{left} << 32 | right;
    return pair * 0x9E3779B97F4A7C15U >> 43;
  }

  std::vector<std::uint64_t> bits_;
};

}  // namespace awend::text
