#include "decode/history.hpp"

namespace awend::decode {

History::~History() {
  for (const std::uint32_t page : pages_) pool_->give_back(page);
}

std::uint32_t History::row_of(std::uint32_t node) const {
  return pages_[node / PagePool::kRows] * PagePool::kRows + node % PagePool::kRows;
}

std::uint32_t History::new_node(std::uint32_t before) {
  if (free_.empty()) {
    const auto first = static_cast<std::uint32_t>(nodes_.size());
    pages_.push_back(pool_->take());
    nodes_.resize(first + PagePool::kRows);
    for (std::uint32_t i = PagePool::kRows; i > 0; --i) free_.push_back(first + i - 1);
  }
  const std::uint32_t node = free_.back();
  free_.pop_back();
  nodes_[node] = {before, 1};
  return node;
}

void History::release(std::uint32_t node) {
  while (node != kNone && --nodes_[node].uses == 0) {
    free_.push_back(node);
    node = nodes_[node].before;
  }
}

void History::grow() {
  // The reference of the hypothesis passes to the new node.
  for (std::uint32_t& last : last_) last = new_node(last);
  ++length_;
}

void History::append_path(std::size_t hypothesis, std::vector<std::uint32_t>& rows) const {
  rows.resize(rows.size() + length_);
  auto row = rows.rbegin();
  for (std::uint32_t node = last_[hypothesis]; node != kNone; node = nodes_[node].before)
    *row++ = row_of(node);
}

void History::keep(std::span<const std::uint32_t> parents) {
  std::vector<std::uint32_t> next;
  for (const std::uint32_t parent : parents) {
    next.push_back(last_[parent]);
    if (next.back() != kNone) ++nodes_[next.back()].uses;
  }
  for (const std::uint32_t last : last_) release(last);
  last_ = std::move(next);
}

}  // namespace awend::decode
