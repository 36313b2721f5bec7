#include "metrics/brackets/counted_tree.hpp"

#include <algorithm>

namespace awend::metrics {
namespace {

std::string_view without_function(std::string_view label) {
  return label.substr(0, label.find_first_of("-="));
}

}  // namespace

Equals::Equals(std::span<const std::pair<std::string, std::string>> pairs) {
  for (const auto& [a, b] : pairs) {
    const std::string now((*this)(a)), old((*this)(b));
    for (auto& [text, other] : standing_) {
      if (other == old) other = now;
    }
    standing_[a] = standing_[b] = standing_[old] = now;
  }
}

std::string_view Equals::operator()(std::string_view text) const {
  const auto found = standing_.find(text);
  return found == standing_.end() ? text : found->second;
}

TreeCounter::TreeCounter(const BracketSettings& settings)
    : settings_(settings), labels_(settings.equal), words_(settings.equal_words) {}

std::size_t TreeCounter::length(const ParseTree& tree) const {
  return static_cast<std::size_t>(std::ranges::count_if(tree.leaves, [this](const auto& leaf) {
    return !settings_.deleted_for_length.contains(leaf.tag);
  }));
}

TreeCounter::Kept TreeCounter::kept(const ParseTree& tree) const {
  Kept kept;
  for (const auto& leaf : tree.leaves) kept.push_back(!settings_.deleted.contains(leaf.tag));
  return kept;
}

bool TreeCounter::is_quote(const ParseTree::Leaf& leaf) const {
  return (leaf.word == "'" || leaf.word == "\"" || leaf.word == "/") &&
         settings_.quotes.contains(leaf.tag);
}

void TreeCounter::keep_quotes(const ParseTree& a, Kept& kept_a, const ParseTree& b,
                              Kept& kept_b) const {
  for (std::size_t i = 0, j = 0; i < kept_a.size() && j < kept_b.size();) {
    const bool quote_i = is_quote(a.leaves[i]), quote_j = is_quote(b.leaves[j]);
    if (!kept_a[i] && !quote_i) {
      ++i;
    } else if (!kept_b[j] && !quote_j) {
      ++j;
    } else if (!kept_a[i] && !quote_j) {
      ++i;
    } else if (!kept_b[j] && !quote_i) {
      ++j;
    } else {
      const bool keep = kept_a[i] || kept_b[j];
      kept_a[i++] = kept_b[j++] = keep;
    }
  }
}

TreeCounter::Tree TreeCounter::count(const ParseTree& tree, const Kept& kept) const {
  Tree result;
  std::vector<std::size_t> kept_before = {0};
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const auto& leaf = tree.leaves[i];
    if (kept[i]) result.leaves.push_back({labels_(leaf.tag), words_(leaf.word)});
    kept_before.push_back(result.leaves.size());
  }
  for (const auto& constituent : tree.constituents) {
    const auto label = without_function(constituent.label);
    if (settings_.deleted.contains(constituent.label) || settings_.deleted.contains(label))
      continue;
    const auto begin = kept_before[constituent.begin], end = kept_before[constituent.end];
    if (begin == end) continue;
    result.spans.push_back({settings_.labeled ? labels_(label) : std::string_view(), begin, end});
  }
  std::ranges::sort(result.spans);
  return result;
}

}  // namespace awend::metrics
