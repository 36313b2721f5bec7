#include "text/sentencepiece/piece_trie.hpp"

#include <algorithm>

namespace awend::text {
namespace {

constexpr std::size_t kBytes = 256;
// A node whose children fit none of this many gaps is placed after all others, so that building is
// linear.
constexpr int kTries = 32;

unsigned char byte_at(const PieceTrie::Entry& entry, std::size_t depth) {
  return static_cast<unsigned char>(entry.first[depth]);
}

}  // namespace

class PieceTrie::Builder {
 public:
  Builder(std::vector<Cell>& cells, std::vector<Entry>& entries)
      : cells_(cells), entries_(entries) {
    // Of equal texts, the first remains in front.
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry& a, const Entry& b) { return a.first < b.first; });
    reserve(kBytes);
  }

  void build() {
    // An explicit stack, because a piece may be as long as its model.
    std::vector<Range> ranges = {{0, entries_.size(), 0, 0}};
    while (!ranges.empty()) {
      const Range range = ranges.back();
      ranges.pop_back();
      place(range, ranges);
    }
  }

 private:
  // Entries that share `depth` bytes, which lead to `node`.
  struct Range {
    std::size_t begin, end, depth;
    std::uint32_t node;
  };

  void reserve(std::size_t size) {
    // Padding, so that a base plus a byte is always a cell.
    cells_.resize(std::max(cells_.size(), size + kBytes));
    for (std::size_t cell = next_free_.size(); cell <= cells_.size(); ++cell)
      next_free_.push_back(static_cast<std::uint32_t>(cell == 0 ? 1 : cell));
  }

  // The first free cell from this one on; paths are halved, as in a union-find.
  std::uint32_t free_from(std::uint32_t cell) {
    while (next_free_[cell] != cell) {
      next_free_[cell] = next_free_[next_free_[cell]];
      cell = next_free_[cell];
    }
    return cell;
  }

  bool fits(std::uint32_t base) {
    reserve(base + kBytes);
    return std::ranges::all_of(
        labels_, [&](unsigned char label) { return free_from(base + label) == base + label; });
  }

  std::uint32_t find_base() {
    const std::uint32_t first = labels_.front();
    std::uint32_t cell = free_from(first + 1);
    for (int i = 0; i < kTries; ++i) {
      if (fits(cell - first)) return cell - first;
      cell = free_from(cell + 1);
    }
    reserve(end_ + kBytes);
    return end_;
  }

  void place(const Range& range, std::vector<Range>& ranges) {
    std::size_t begin = range.begin;
    if (begin < range.end && entries_[begin].first.size() == range.depth && range.depth > 0)
      cells_[range.node].value = entries_[begin].second;
    while (begin < range.end && entries_[begin].first.size() == range.depth) ++begin;
    if (begin == range.end) return;
    labels_.clear();
    for (std::size_t i = begin; i < range.end; ++i) {
      const unsigned char label = byte_at(entries_[i], range.depth);
      if (labels_.empty() || labels_.back() != label) labels_.push_back(label);
    }
    const std::uint32_t base = find_base();
    cells_[range.node].base = base;
    for (const unsigned char label : labels_) {
      const std::uint32_t child = base + label;
      cells_[child].parent = range.node;
      next_free_[child] = child + 1;
      end_ = std::max(end_, child + 1);
      const std::size_t from = begin;
      while (begin < range.end && byte_at(entries_[begin], range.depth) == label) ++begin;
      ranges.push_back({from, begin, range.depth + 1, child});
    }
  }

  std::vector<Cell>& cells_;
  std::vector<Entry>& entries_;
  std::vector<std::uint32_t> next_free_;
  std::vector<unsigned char> labels_;
  std::uint32_t end_ = 1;  // after the last used cell
};

PieceTrie::PieceTrie(std::vector<Entry> entries) {
  Builder(cells_, entries).build();
  cells_.shrink_to_fit();
}

}  // namespace awend::text
