// Learning codes as subword-nmt does, with the same bytes for the same text: a word consists of its
// characters, the last with `</w>`, and byte pairs are learned from all words.  Test:
// tests/unit/text/subword_nmt/subword_nmt_learn_test.cpp, and against subword-nmt's own output in
// tests/unit/text/subword_nmt/subword_nmt_conformance_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>

#include "text/learn/word_counts.hpp"
#include "text/subword_nmt/codes.hpp"
#include "text/subword_nmt/encoder.hpp"
#include "text/subword_nmt/ordered_counts.hpp"

namespace awend::text {

struct SubwordNmtLearnSettings {
  std::size_t merges = 10000;
  std::uint64_t min_frequency = 2;  // of a pair
  // Characters count as merges, separately within a word and at its end.
  bool total_symbols = false;
  bool bytes = false;  // symbols are bytes: the codes' version is `0.2 byte`
  std::function<void(std::size_t merges)> progress = {};
  /// Memory for data that grow with the number of different words.
  std::pmr::memory_resource* memory = std::pmr::get_default_resource();
};

/// A dictionary with lines `word count`.  Error "name:line: what" for any other line.
CountTable read_dictionary(std::string_view content, const std::string& name);

/// The codes of a text whose words are counted (by WordRule::kSpaces); joint codes of several texts
/// if they are counted together.
SubwordNmtCodes learn_codes(std::span<const WordCount> words,
                            const SubwordNmtLearnSettings& settings);

/// The pieces of a text after encoding, from the counts of its words in order of first occurrence:
/// the vocabulary that joint learning writes for each text.
OrderedCounts count_pieces(const OrderedCounts& words, SubwordNmt& encoder);

}  // namespace awend::text
