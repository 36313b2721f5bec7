#include "metrics/mbr/pairwise_matches.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "base/error.hpp"

namespace awend::metrics {
namespace {

constexpr std::uint64_t kMix = 0x9E3779B97F4A7C15;  // 2^64 over the golden ratio
constexpr std::size_t kFirstSlots = 1 << 12;

// The matches of one row are added in vectors of columns if at least one in eight columns contains
// the n-gram, because a vector has eight numbers.
constexpr std::size_t kVector = 8;

// No key is 0, because every symbol is incremented by one.
std::uint64_t key_of(std::uint32_t parent, std::uint32_t symbol) {
  return std::uint64_t{parent} << 32 | (symbol + 1);
}

std::size_t place_of(std::uint64_t key, std::size_t slots) {
  return key * kMix >> (64 - std::countr_zero(slots));
}

// sums[i] += min(counts[i], limit).  Vectors are explicit because the compiler makes none for an
// unknown number of columns.
template <class Count>
void add_smaller(std::span<Count> sums, const std::vector<Count>& counts, Count limit) {
  using Vector __attribute__((vector_size(16))) = Count;
  const Vector limits = limit - Vector{};
  for (std::size_t i = 0; i < sums.size(); i += sizeof(Vector) / sizeof(Count)) {
    Vector sum, count;
    std::memcpy(&sum, &sums[i], sizeof sum);
    std::memcpy(&count, &counts[i], sizeof count);
    sum += count < limits ? count : limits;
    std::memcpy(&sums[i], &sum, sizeof sum);
  }
}

}  // namespace

PairwiseMatches::PairwiseMatches(std::size_t orders) : orders_(orders) {}

void PairwiseMatches::count(std::span<const Symbols> rows, std::span<const Symbols> columns) {
  clear(rows, columns);
  index(rows);
  first_column_ = rows.size();
  index(columns);
  add_up();
}

void PairwiseMatches::count(std::span<const Symbols> texts) {
  clear(texts, texts);
  index(texts);
  add_up();
}

void PairwiseMatches::clear(std::span<const Symbols> rows, std::span<const Symbols> columns) {
  rows_ = rows.size();
  columns_ = columns.size();
  stride_ = (columns_ + kVector - 1) / kVector * kVector;
  first_column_ = longest_ = texts_ = 0;
  nodes_.clear();
  postings_.clear();
  slots_.assign(kFirstSlots, 0);
}

std::uint32_t PairwiseMatches::node_of(std::uint64_t key, std::uint32_t order) {
  auto place = place_of(key, slots_.size());
  for (; slots_[place] != 0; place = (place + 1) & (slots_.size() - 1)) {
    if (nodes_[slots_[place] - 1].key == key) return slots_[place] - 1;
  }
  base::check(nodes_.size() < std::numeric_limits<std::uint32_t>::max(), "a number has 32 bits");
  nodes_.push_back({key, order, 0});
  slots_[place] = static_cast<std::uint32_t>(nodes_.size());
  if (2 * nodes_.size() > slots_.size()) grow();
  return static_cast<std::uint32_t>(nodes_.size() - 1);
}

void PairwiseMatches::grow() {
  slots_.assign(4 * slots_.size(), 0);
  for (std::uint32_t number = 0; number < nodes_.size(); ++number) {
    auto place = place_of(nodes_[number].key, slots_.size());
    while (slots_[place] != 0) place = (place + 1) & (slots_.size() - 1);
    slots_[place] = number + 1;
  }
}

void PairwiseMatches::index(std::span<const Symbols> texts) {
  for (const auto& symbols : texts) {
    const auto text = texts_++;
    longest_ = std::max(longest_, symbols.size());
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      const auto end = std::min(symbols.size(), i + orders_);
      std::uint32_t parent = 0;  // number of the node plus one; 0 is the root
      for (auto last = i; last < end; ++last) {
        const auto number =
            node_of(key_of(parent, symbols[last]), static_cast<std::uint32_t>(last - i));
        parent = number + 1;
        auto& posting = nodes_[number].last_posting;
        if (posting != 0 && postings_[posting - 1].text == text) {
          ++postings_[posting - 1].count;
        } else {
          postings_.push_back({text, 1, posting});
          posting = static_cast<std::uint32_t>(postings_.size());
        }
      }
    }
  }
}

void PairwiseMatches::find_holders(const Node& node) {
  row_holders_.clear();
  column_holders_.clear();
  for (auto number = node.last_posting; number != 0; number = postings_[number - 1].previous) {
    const auto& posting = postings_[number - 1];
    if (posting.text < rows_) row_holders_.push_back({posting.text, posting.count});
    if (posting.text >= first_column_) {
      column_holders_.push_back(
          {posting.text - static_cast<std::uint32_t>(first_column_), posting.count});
    }
  }
}

// Sums are at most the length of the longest text.
void PairwiseMatches::add_up() {
  longest_ <= static_cast<std::size_t>(std::numeric_limits<std::int16_t>::max())
      ? add_up_in<std::int16_t>()
      : add_up_in<std::int32_t>();
}

template <class Count>
void PairwiseMatches::add_up_in() {
  std::vector<Count> sums(orders_ * rows_ * stride_), counts(stride_);
  for (const auto& node : nodes_) {
    find_holders(node);
    auto* of_order = sums.data() + node.order * rows_ * stride_;
    if (column_holders_.size() * kVector < columns_) {
      for (const auto& row : row_holders_) {
        for (const auto& column : column_holders_) {
          auto& sum = of_order[row.place * stride_ + column.place];
          sum = static_cast<Count>(sum + static_cast<Count>(std::min(row.count, column.count)));
        }
      }
      continue;
    }
    for (const auto& [place, count] : column_holders_) counts[place] = static_cast<Count>(count);
    for (const auto& row : row_holders_) {
      add_smaller<Count>(std::span(of_order + row.place * stride_, stride_), counts,
                         static_cast<Count>(row.count));
    }
    for (const auto& holder : column_holders_) counts[holder.place] = 0;
  }
  matches_.assign(sums.begin(), sums.end());
}

}  // namespace awend::metrics
