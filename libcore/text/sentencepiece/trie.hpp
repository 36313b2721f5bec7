// The prefix tables of a SentencePiece model.
// Test: tests/fuzz/sentencepiece_test.cpp.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace awend::text {

/// The error in the table of a normalizer, or "" if it is safe for every text.
///
/// The table consists of the size of a double array in bytes, the array (Darts' units of 32 bits),
/// and the texts that its values point to.  The library follows it without checking bounds.
std::string_view fault_of_charsmap(std::string_view table);

/// The length of the longest sequence of texts of which each begins with the one before.
std::size_t nested_prefixes(std::vector<std::string_view> texts);

}  // namespace awend::text
