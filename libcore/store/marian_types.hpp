// The numbers of Marian's binary format that its reader and its writer share.
//
// Test: tests/unit/store/foreign_containers_test.cpp, tests/unit/store/marian_writer_test.cpp.
#pragma once

#include <cstdint>
#include <string_view>

namespace awend::store::marian {

inline constexpr std::uint64_t kVersion = 1;
inline constexpr std::string_view kSettings = "special:model.yml";

// A type's class, of which a number has one, and the bytes of an element.
inline constexpr std::uint64_t kSigned = 0x100, kFloat = 0x400;
// The classes of integers with a multiplier: of Marian, and of its fork for browsers.
inline constexpr std::uint64_t kIntgemm = 0x10000, kBrowserIntgemm = 0x4000 | kSigned;

/// Whether the integers of an array are in the order of rows: embeddings, which only the fork for
/// browsers quantizes.  Other matrices are column-major.
inline bool is_row_major(std::string_view name) {
  return name.ends_with("Wemb");
}

}  // namespace awend::store::marian
