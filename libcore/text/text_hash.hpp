// A fast hash of short texts for tables in memory, with all bits well distributed. Test:
// tests/unit/text/subword_nmt/ordered_counts_test.cpp.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace awend::text {

/// Reads eight bytes at a time; the last eight may overlap those before them.
inline std::uint64_t text_hash(std::string_view text) {
  constexpr std::uint64_t kMix = 0x9E3779B97F4A7C15;  // 2^64 over the golden ratio
  std::uint64_t hash = text.size() * kMix;
  const auto mix = [&](std::uint64_t part) {
    hash = (hash ^ part) * kMix;
    hash ^= hash >> 29;
  };
  const char* at = text.data();
  std::size_t size = text.size();
  if (size >= 8) {
    std::uint64_t part;
    for (; size > 8; size -= 8, at += 8) {
      std::memcpy(&part, at, 8);
      mix(part);
    }
    std::memcpy(&part, at + size - 8, 8);
    mix(part);
  } else if (size >= 4) {
    std::uint32_t first, last;
    std::memcpy(&first, at, 4);
    std::memcpy(&last, at + size - 4, 4);
    mix(std::uint64_t{first} << 32 | last);
  } else if (size > 0) {
    const auto byte = [&](std::size_t i) {
      return std::uint64_t{static_cast<unsigned char>(at[i])};
    };
    mix(byte(0) << 16 | byte(size / 2) << 8 | byte(size - 1));
  }
  return hash * kMix ^ hash >> 32;
}

}  // namespace awend::text
