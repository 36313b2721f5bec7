// The nodes of a segment as a tree, and which of them have which words.
//
// Test: tests/unit/text/markup/placer_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "text/markup/segment.hpp"
#include "text/markup/word_range.hpp"
#include "text/text_range.hpp"

namespace awend::text {

/// Node number nodes.size() is the segment, the root.
class SourceTree {
 public:
  /// A word in several nodes belongs to the deepest, of those to the one with most of it.
  SourceTree(const MarkupSegment& segment, std::span<const TextRange> words);

  std::uint32_t root() const { return static_cast<std::uint32_t>(children_.size() - 1); }
  const std::vector<std::uint32_t>& children(std::uint32_t node) const { return children_[node]; }
  /// Requires: node != root().
  std::uint32_t parent(std::uint32_t node) const { return parents_[node]; }
  /// The words of the node and of those in it.
  WordRange words(std::uint32_t node) const { return words_[node]; }
  /// The node of a word, or the root.
  std::uint32_t owner(std::uint32_t word) const { return owners_[word]; }
  /// True if `node` is in `ancestor`, or is it.
  bool contains(std::uint32_t ancestor, std::uint32_t node) const;

 private:
  struct Run;
  static std::vector<Run> runs_of(const MarkupSegment& segment);
  void find_owners(const MarkupSegment& segment, std::span<const TextRange> words);
  void find_words();

  std::vector<std::vector<std::uint32_t>> children_;
  std::vector<WordRange> words_;
  std::vector<std::uint32_t> parents_, owners_;
  std::vector<std::uint32_t> ends_;  // the first node after those in a node
};

}  // namespace awend::text
