#include "metrics/bleu/word_matches.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace awend::metrics {

void WordMatches::clear() {
  ids_.clear();
  references_.clear();
  has_tree_ = false;
}

void WordMatches::add_reference(std::span<const std::string_view> words) {
  auto& reference = references_.emplace_back();
  reference.reserve(words.size());
  for (const auto word : words) reference.push_back(ids_.add(word));
  has_tree_ = false;
}

void WordMatches::count(std::span<const std::string_view> words, std::span<std::int64_t> matches,
                        std::span<std::int64_t> totals) {
  if (!has_tree_) tree_.set_references(max_order_, references_);
  has_tree_ = true;
  line_.clear();
  for (const auto word : words) line_.push_back(ids_.find(word));
  tree_.count_matches(line_, matches);
  for (std::size_t n = 0; n < max_order_; ++n)
    totals[n] = static_cast<std::int64_t>(words.size() - std::min(words.size(), n));
}

std::int64_t WordMatches::closest_length(std::size_t length) const {
  base::check(!references_.empty(), "a line has a reference");
  const auto distance = [length](std::size_t other) {
    return std::max(length, other) - std::min(length, other);
  };
  auto closest = references_.front().size();
  for (const auto& reference : references_) {
    const auto size = reference.size();
    const auto nearer = distance(size) < distance(closest);
    if (nearer || (distance(size) == distance(closest) && size < closest)) closest = size;
  }
  return static_cast<std::int64_t>(closest);
}

}  // namespace awend::metrics
