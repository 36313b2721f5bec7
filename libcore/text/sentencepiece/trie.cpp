#include "text/sentencepiece/trie.hpp"

#include <algorithm>
#include <cstdint>

#include "text/sentencepiece/darts.hpp"

namespace awend::text {
namespace {

// The library keeps this many rules that match at a position, and reads beyond them.
constexpr int kMaxRules = 32;
// Rules are a few characters long; a greater depth indicates a cycle.
constexpr int kMaxDepth = 1000;
constexpr std::uint32_t kLabels = 256;

// Visits every node that a text can reach.
class TrieCheck {
 public:
  TrieCheck(std::string_view array, std::size_t texts_size) : texts_size_(texts_size) {
    for (std::size_t at = 0; at + 4 <= array.size(); at += 4)
      units_.push_back(darts::number_at(array, at));
    rules_below_.assign(units_.size(), kUnknown);
  }

  bool passes() { return !units_.empty() && rules_below(0, 0) >= 0; }

 private:
  static constexpr int kUnknown = -2, kOpen = -3, kBad = -1;

  // The maximum number of rules on a path from this node, or kBad.  Nodes can be shared, so each
  // is visited once; one that is still open is its own descendant.
  int rules_below(std::uint32_t node, int depth) {
    int& known = rules_below_[node];
    if (known != kUnknown) return known == kOpen ? kBad : known;
    if (depth > kMaxDepth) return kBad;
    known = kOpen;
    const std::uint32_t unit = units_[node];
    const std::uint32_t base = node ^ darts::offset(unit);
    if ((base | (kLabels - 1)) >= units_.size()) return kBad;
    const bool rule = node != 0 && darts::has_leaf(unit);
    if (rule && darts::value(units_[base]) >= texts_size_) return kBad;
    int rules = 0;
    for (std::uint32_t c = 0; c < kLabels; ++c) {
      if (darts::label(units_[base ^ c]) != c) continue;
      const int below = rules_below(base ^ c, depth + 1);
      if (below < 0) return kBad;
      rules = std::max(rules, below);
    }
    rules += rule ? 1 : 0;
    if (rules > kMaxRules) return kBad;
    return rules_below_[node] = rules;
  }

  std::vector<std::uint32_t> units_;
  std::vector<int> rules_below_;
  std::size_t texts_size_;
};

}  // namespace

std::string_view fault_of_charsmap(std::string_view table) {
  if (table.size() <= 4) return "the normalizer's table is truncated";
  const std::size_t size = darts::number_at(table, 0);
  table.remove_prefix(4);
  if (size >= table.size()) return "the normalizer's table is truncated";
  if (!TrieCheck(table.substr(0, size), table.size() - size).passes())
    return "the normalizer's table has an invalid reference";
  return {};
}

std::size_t nested_prefixes(std::vector<std::string_view> texts) {
  std::ranges::sort(texts);
  std::vector<std::string_view> row;
  std::size_t longest = 0;
  for (const std::string_view text : texts) {
    while (!row.empty() && !text.starts_with(row.back())) row.pop_back();
    row.push_back(text);
    longest = std::max(longest, row.size());
  }
  return longest;
}

}  // namespace awend::text
