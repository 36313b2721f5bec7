// Learning codes as subword-nmt does, the same bytes for the same text: a word is its characters,
// the last of them with `</w>`, and byte pairs are learnt of all words.  Test:
// tests/unit/text/subword_nmt_learn_test.cpp, and against subword-nmt's own output in
// tests/unit/text/subword_nmt_conformance_test.cpp.
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
  bool total_symbols = false;  // the characters count as merges, within a word and at its end apart
  bool bytes = false;          // symbols are bytes: the codes' version is `0.2 byte`
  std::function<void(std::size_t merges)> progress = {};
  /// For what grows with the number of different words.
  std::pmr::memory_resource* memory = std::pmr::get_default_resource();
};

/// A dictionary, `word count` a line.  Error "name:line: what" for any other line.
CountTable read_dictionary(std::string_view content, const std::string& name);

/// The codes of a text whose words are counted (by WordRule::kSpaces); of several texts, joint, if
/// all are counted together.
SubwordNmtCodes learn_codes(std::span<const WordCount> words,
                            const SubwordNmtLearnSettings& settings);

/// The pieces that a text consists of once it is encoded, from the counts of its words in the order
/// of first appearance: the vocabulary that joint learning writes for each text.
OrderedCounts count_pieces(const OrderedCounts& words, SubwordNmt& encoder);

}  // namespace awend::text
