// What a SentencePiece model carries to look up texts by their beginning.
// Test: tests/fuzz/sentencepiece_test.cpp.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace awend::text {

/// What is wrong with the table of a normaliser, or "" for one that no text can lead astray.
///
/// It is the size of a double array in bytes, the array (Darts' units of 32 bits), and the texts
/// that its values point to.  The library follows it without looking at its size.
std::string_view fault_of_charsmap(std::string_view table);

/// The length of the longest row of texts of which each begins with the one before.
std::size_t nested_prefixes(std::vector<std::string_view> texts);

}  // namespace awend::text
