#include "decode/pages.hpp"

#include "base/error.hpp"
#include "base/numbers.hpp"

namespace awend::decode {

std::uint32_t PagePool::pages_for(std::uint64_t rows) {
  return static_cast<std::uint32_t>(base::divide_up(rows, kRows));
}

PagePool::PagePool(std::uint32_t pages) : pages_(pages), unreserved_(pages) {
  for (std::uint32_t page = pages; page > 0; --page) free_.push_back(page - 1);
}

bool PagePool::reserve(std::uint32_t pages) {
  if (pages > unreserved_) return false;
  unreserved_ -= pages;
  return true;
}

void PagePool::release(std::uint32_t pages) {
  unreserved_ += pages;
  base::check(unreserved_ <= pages_, "no more pages are released than were reserved");
}

std::uint32_t PagePool::take() {
  base::check(!free_.empty(), "a page is reserved before it is taken");
  const std::uint32_t page = free_.back();
  free_.pop_back();
  return page;
}

void PagePool::give_back(std::uint32_t page) {
  free_.push_back(page);
  base::check(free_.size() <= pages_, "a page is returned once");
}

RangePool::RangePool(std::uint32_t rows) {
  if (rows > 0) gaps_.emplace(0, rows);
}

std::optional<std::uint32_t> RangePool::take(std::uint32_t length) {
  for (auto gap = gaps_.begin(); gap != gaps_.end(); ++gap) {
    const auto [begin, end] = *gap;
    if (end - begin < length) continue;
    gaps_.erase(gap);
    if (begin + length < end) gaps_.emplace(begin + length, end);
    return begin;
  }
  return std::nullopt;
}

void RangePool::give_back(std::uint32_t begin, std::uint32_t length) {
  std::uint32_t end = begin + length;
  auto after = gaps_.lower_bound(begin);
  if (after != gaps_.begin()) {
    const auto before = std::prev(after);
    base::check(before->second <= begin, "a range is returned once");
    if (before->second == begin) {
      begin = before->first;
      gaps_.erase(before);
    }
  }
  if (after != gaps_.end()) {
    base::check(end <= after->first, "a range is returned once");
    if (after->first == end) {
      end = after->second;
      gaps_.erase(after);
    }
  }
  gaps_.emplace(begin, end);
}

}  // namespace awend::decode
