// The pieces that a text begins with: a double array (Aoe, 1989), whose cells are 12 bytes per
// character of distinct prefixes.  Test: tests/unit/text/sentencepiece/piece_trie_test.cpp.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

namespace awend::text {

class PieceTrie {
 public:
  using Entry = std::pair<std::string_view, std::uint32_t>;  // a text, not empty, and its value

  /// Of a text that occurs twice, the first value counts.
  explicit PieceTrie(std::vector<Entry> entries);

  /// Calls visit(size in bytes, value) for each entry that the text begins with, the shortest
  /// first.
  template <class Visit>
  void for_each_prefix(std::string_view text, const Visit& visit) const {
    std::uint32_t node = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const std::uint32_t next = cells_[node].base + static_cast<unsigned char>(text[i]);
      if (cells_[next].parent != node) return;
      node = next;
      if (cells_[node].value != kNone) visit(i + 1, cells_[node].value);
    }
  }

  /// The size of the longest entry that the text begins with; 0 if there is none.
  std::size_t longest(std::string_view text) const {
    std::size_t longest = 0;
    for_each_prefix(text, [&](std::size_t size, std::uint32_t) { longest = size; });
    return longest;
  }

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  // The child of a node by a byte is the cell at base + byte, if that cell's parent is the node.
  struct Cell {
    std::uint32_t base = 0;
    std::uint32_t parent = kNone;
    std::uint32_t value = kNone;
  };

  class Builder;

  std::vector<Cell> cells_;
};

}  // namespace awend::text
