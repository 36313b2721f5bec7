#include "text/pair_merging.hpp"

#include "base/error.hpp"

namespace awend::text {
namespace {

// In a long word a merge leaves a gap, all of whose cells have this bit set.  The first and the
// last cell also contain the number of cells of the symbol with its gap, so that neighbors are
// found in both directions without links.
constexpr std::uint32_t kGap = 1U << 31;

// A list that a very long word has filled is not kept for the next word.
constexpr std::size_t kKeptPlaces = 1 << 12;

std::size_t next_of(const SymbolMerger::Symbols& symbols, std::size_t place) {
  const bool gap = place + 1 < symbols.size() && (symbols[place + 1] & kGap) != 0;
  return place + (gap ? symbols[place + 1] & ~kGap : 1);
}

std::size_t previous_of(const SymbolMerger::Symbols& symbols, std::size_t place) {
  const std::uint32_t before = symbols[place - 1];
  return place - ((before & kGap) != 0 ? before & ~kGap : 1);
}

}  // namespace

MergeTable::MergeTable(std::vector<Merge> merges) : merges_(std::move(merges)) {
  for (std::uint32_t rank = 0; rank < merges_.size(); ++rank) {
    const Merge& merge = merges_[rank];
    base::check(((merge.left | merge.right | merge.result) & kGap) == 0, "a symbol has 31 bits");
    ranks_.find_or_insert(make_pair_key(merge.left, merge.right), rank);
  }
}

void SymbolMerger::merge_by_scanning(Symbols& symbols) {
  std::size_t size = symbols.size();
  if (size < 2) return;
  ranks_.resize(size);
  for (std::size_t i = 0; i + 1 < size; ++i) ranks_[i] = table_.rank(symbols[i], symbols[i + 1]);
  ranks_[size - 1] = MergeTable::kNoRank;
  while (true) {
    std::uint32_t best = MergeTable::kNoRank;
    for (std::size_t i = 0; i < size; ++i) best = std::min(best, ranks_[i]);
    if (best == MergeTable::kNoRank) break;
    size = merge_everywhere(symbols, size, best);
  }
  symbols.resize(size);
}

// Closes gaps in the same pass.  The read position is never before the write position, so the
// ranks are those at the beginning of the round.  Returns the number of remaining symbols.
std::size_t SymbolMerger::merge_everywhere(Symbols& symbols, std::size_t size, std::uint32_t rank) {
  const std::uint32_t result = table_.merge(rank).result;
  std::size_t to = 0;
  bool after_result = false;
  for (std::size_t from = 0; from < size; ++to) {
    const bool here = ranks_[from] == rank;
    symbols[to] = here ? result : symbols[from];
    const std::uint32_t rank_here = here ? MergeTable::kNoRank : ranks_[from];
    if (to > 0 && (here || after_result))
      ranks_[to - 1] = table_.rank(symbols[to - 1], symbols[to]);
    ranks_[to] = rank_here;
    after_result = here;
    from += here ? 2 : 1;
  }
  return to;
}

void SymbolMerger::merge_by_lists(Symbols& symbols) {
  base::check(symbols.size() < kGap, "a word has fewer than 2^31 symbols");
  places_.resize(table_.merges().size());
  for (std::size_t i = 0; i + 1 < symbols.size(); ++i) list(symbols, i, i + 1);
  while (!waiting_.empty()) {
    const std::uint32_t rank = waiting_.top();
    waiting_.pop();
    now_.swap(places_[rank]);
    if (!std::is_sorted(now_.begin(), now_.end())) std::sort(now_.begin(), now_.end());
    for (const std::uint32_t place : now_) merge_at(symbols, place, table_.merge(rank));
    now_.clear();
    if (now_.capacity() > kKeptPlaces) now_.shrink_to_fit();
  }
  std::size_t size = 0;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    if ((symbols[i] & kGap) == 0) symbols[size++] = symbols[i];
  }
  symbols.resize(size);
}

// Records the pair of two neighbors for the round of its rank.
void SymbolMerger::list(const Symbols& symbols, std::size_t left, std::size_t right) {
  const std::uint32_t rank = table_.rank(symbols[left], symbols[right]);
  if (rank == MergeTable::kNoRank) return;
  if (places_[rank].empty()) waiting_.push(rank);
  places_[rank].push_back(static_cast<std::uint32_t>(left));
}

// Merges at a recorded place, unless another merge has consumed one of the two symbols since.
void SymbolMerger::merge_at(Symbols& symbols, std::size_t place, const Merge& merge) {
  if (symbols[place] != merge.left) return;
  const std::size_t right = next_of(symbols, place);
  if (right == symbols.size() || symbols[right] != merge.right) return;
  const std::size_t after = next_of(symbols, right);
  symbols[place] = merge.result;
  symbols[right] = kGap;
  symbols[place + 1] = symbols[after - 1] = kGap | static_cast<std::uint32_t>(after - place);
  if (place > 0) list(symbols, previous_of(symbols, place), place);
  if (after < symbols.size()) list(symbols, place, after);
}

}  // namespace awend::text
