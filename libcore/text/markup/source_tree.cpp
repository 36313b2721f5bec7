#include "text/markup/source_tree.hpp"

#include <algorithm>

namespace awend::text {

/// Text in one node.
struct SourceTree::Run {
  TextRange range;
  std::uint32_t node, depth;
};

SourceTree::SourceTree(const MarkupSegment& segment, std::span<const TextRange> words) {
  const auto& nodes = segment.nodes;
  const auto root = static_cast<std::uint32_t>(nodes.size());
  children_.resize(root + 1);
  words_.resize(root + 1);
  ends_.assign(root + 1, root + 1);
  for (std::uint32_t i = 0; i < root; ++i) {
    parents_.push_back(nodes[i].parent == MarkupNode::kNoParent ? root : nodes[i].parent);
    children_[parents_[i]].push_back(i);
    ends_[i] = i + 1;
  }
  for (std::uint32_t i = root; i-- > 0;) {
    auto& end = ends_[parents_[i]];
    end = std::max(end, ends_[i]);
  }
  words_[root] = {0, static_cast<std::uint32_t>(words.size())};
  find_owners(segment, words);
  find_words();
}

bool SourceTree::contains(std::uint32_t ancestor, std::uint32_t node) const {
  return ancestor == root() || (node >= ancestor && node < ends_[ancestor]);
}

std::vector<SourceTree::Run> SourceTree::runs_of(const MarkupSegment& segment) {
  const auto& nodes = segment.nodes;
  const auto root = static_cast<std::uint32_t>(nodes.size());
  std::vector<Run> runs;
  std::vector<std::uint32_t> open;
  std::size_t done = 0;
  const auto run_until = [&](std::size_t end) {
    const auto node = open.empty() ? root : open.back();
    if (end > done) runs.push_back({{done, end}, node, static_cast<std::uint32_t>(open.size())});
    done = std::max(done, end);
  };
  const auto close_until = [&](std::size_t position) {
    while (!open.empty() && nodes[open.back()].range.end <= position) {
      run_until(nodes[open.back()].range.end);
      open.pop_back();
    }
  };
  for (std::uint32_t i = 0; i < root; ++i) {
    if (nodes[i].range.empty()) continue;
    close_until(nodes[i].range.begin);
    run_until(nodes[i].range.begin);
    open.push_back(i);
  }
  close_until(segment.text.size());
  run_until(segment.text.size());
  return runs;
}

void SourceTree::find_owners(const MarkupSegment& segment, std::span<const TextRange> words) {
  const auto runs = runs_of(segment);
  std::size_t first = 0;
  for (const TextRange& word : words) {
    while (first + 1 < runs.size() && runs[first].range.end <= word.begin) ++first;
    const Run* best = &runs[first];
    std::size_t best_size = 0;
    for (std::size_t i = first; i < runs.size() && runs[i].range.begin < word.end; ++i) {
      const std::size_t size =
          std::min(runs[i].range.end, word.end) - std::max(runs[i].range.begin, word.begin);
      if (runs[i].depth < best->depth || (runs[i].depth == best->depth && size <= best_size))
        continue;
      best = &runs[i];
      best_size = size;
    }
    owners_.push_back(best->node);
  }
}

void SourceTree::find_words() {
  for (std::uint32_t word = 0; word < owners_.size(); ++word) {
    for (auto node = owners_[word]; node != root(); node = parents_[node]) {
      auto& range = words_[node];
      if (range.empty()) range.begin = word;
      range.end = word + 1;
    }
  }
}

}  // namespace awend::text
