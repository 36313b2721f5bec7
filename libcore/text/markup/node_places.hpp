// Where the nodes of a segment are in its translation, by the alignment of words.
//
// An element takes the run of words that has most words of its own and fewest others: the maximum
// of their difference.  It contains no word of another element with the same parent, and is in the
// words of its parent, so that all elements are nested as in the source.  An element without words
// in the translation, and a point, is between two words.  Test:
// tests/unit/text/markup/placer_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "text/markup/segment.hpp"
#include "text/markup/source_tree.hpp"
#include "text/markup/word_range.hpp"
#include "text/text_range.hpp"

namespace awend::text {

/// The words of a segment and of its translation.
struct AlignedWords {
  std::span<const TextRange> source;  ///< In the text of the segment.
  /// For each word of the translation, the source word, if there is one.
  std::vector<std::optional<std::uint32_t>> sources = {};
  /// For each source word, the word of the translation that fits best; may be empty.
  std::vector<std::optional<std::uint32_t>> targets = {};
  /// Words of the translation that are punctuation: they do not divide an element.
  std::vector<bool> is_mark = {};
  std::vector<bool> is_taken = {};  ///< Words of the translation that are objects or removed.
};

struct NodePlace {
  enum class Kind {
    kWords,   ///< An element, around words.
    kBefore,  ///< Before a word, next to it, or at the end.
    kAfter,   ///< After the word before it, next to that.
  };
  std::uint32_t node;
  Kind kind;
  WordRange words;  ///< Of kBefore and kAfter: only the beginning counts.
};

/// For each node, and for the segment at the end, the places of the nodes in it, in the order of
/// the translation.  Nodes in one that is between words have no places.  `is_placed` tells which
/// nodes are words of the translation already.
std::vector<std::vector<NodePlace>> place_nodes(const MarkupSegment& segment,
                                                const SourceTree& tree, const AlignedWords& words,
                                                const std::vector<bool>& is_placed);

}  // namespace awend::text
