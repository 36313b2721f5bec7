#include "metrics/ter/edits.hpp"

#include <algorithm>

namespace awend::metrics {
namespace {

// The limits of tercom.
constexpr std::uint32_t kMaxMoveWords = 10;
constexpr std::uint32_t kMaxMoveDistance = 50;
constexpr std::size_t kMaxMovesTried = 1000;  // in all rounds of a segment

void sum_before(std::span<const std::uint8_t> wrong, std::vector<std::uint32_t>& sums) {
  sums.resize(wrong.size() + 1);
  sums[0] = 0;
  for (std::size_t i = 0; i < wrong.size(); ++i) sums[i + 1] = sums[i] + wrong[i];
}

}  // namespace

void TerEdits::set_reference(std::span<const std::uint32_t> reference) {
  reference_ = reference;
  places_.clear();
  for (std::uint32_t i = 0; i < reference.size(); ++i) places_.emplace_back(reference[i], i);
  std::ranges::sort(places_);
}

std::int64_t TerEdits::count(std::span<const std::uint32_t> hypothesis) {
  if (reference_.empty()) return static_cast<std::int64_t>(hypothesis.size());
  hypothesis_.assign(hypothesis.begin(), hypothesis.end());
  tried_ = 0;
  const auto smallest = min_distance();
  std::int64_t moves = 0;
  distance_.set(hypothesis_, reference_);
  while (distance_.value() > smallest && improve()) {
    ++moves;
    distance_.set(hypothesis_, reference_);
  }
  return moves + distance_.value();
}

// A lower bound for any order of the words of the hypothesis: common words can be kept, others
// cannot.
std::int32_t TerEdits::min_distance() const {
  auto words = hypothesis_;
  std::ranges::sort(words);
  std::size_t common = 0, i = 0;
  for (auto word : words) {
    while (i < places_.size() && places_[i].first < word) ++i;
    if (i == places_.size()) break;
    if (places_[i].first == word) ++common, ++i;
  }
  return static_cast<std::int32_t>(std::max(words.size(), places_.size()) - common);
}

// Applies the best move; false if none helps, or if there are too many to try.
bool TerEdits::improve() {
  distance_.align(alignment_);
  sum_before(alignment_.hypothesis_wrong, hypothesis_errors_);
  sum_before(alignment_.reference_wrong, reference_errors_);
  if (!collect_moves()) return false;
  // In this order, an earlier move is preferred to a later one of equal gain.
  std::ranges::sort(moves_, [](const Move& a, const Move& b) {
    return a.length != b.length ? a.length > b.length : a < b;
  });
  const auto repeated = std::ranges::unique(moves_);
  moves_.erase(repeated.begin(), repeated.end());
  const Move* best = nullptr;
  auto smallest = distance_.value();
  for (const auto& move : moves_) {
    const auto [begin, words] = change_by(move);
    const auto value = distance_.value_with(begin, words);
    if (value >= smallest) continue;
    smallest = value;
    best = &move;
  }
  if (!best) return false;
  const auto [begin, words] = change_by(*best);
  std::ranges::copy(words, hypothesis_.begin() + static_cast<std::ptrdiff_t>(begin));
  return true;
}

// Finds the moves of this round; false if the segment had too many.
bool TerEdits::collect_moves() {
  moves_.clear();
  for (std::uint32_t start = 0; start < hypothesis_.size(); ++start) {
    const auto reach = std::min<std::size_t>(hypothesis_.size(), start + kMaxMoveWords);
    if (hypothesis_errors_[reach] == hypothesis_errors_[start]) continue;
    const auto word = hypothesis_[start];
    const auto first = start > kMaxMoveDistance ? start - kMaxMoveDistance : 0;
    auto place = std::ranges::lower_bound(places_, std::pair{word, first});
    for (; place != places_.end() && place->first == word; ++place) {
      if (place->second > start + kMaxMoveDistance) break;
      collect_moves_of(start, place->second);
      if (tried_ + moves_.size() >= kMaxMovesTried) return false;
    }
  }
  tried_ += moves_.size();
  return true;
}

// The words from `start` that the reference has from `place` are moved to where their neighbors are
// aligned: after the word before them, or after any but the last of them.
void TerEdits::collect_moves_of(std::uint32_t start, std::uint32_t place) {
  const auto max_length =
      std::min<std::size_t>({kMaxMoveWords, hypothesis_.size() - start, reference_.size() - place});
  const auto& behind = alignment_.hypothesis_of;
  for (std::uint32_t length = 1; length <= max_length; ++length) {
    if (hypothesis_[start + length - 1] != reference_[place + length - 1]) return;
    if (hypothesis_errors_[start + length] == hypothesis_errors_[start]) continue;
    if (reference_errors_[place + length] == reference_errors_[place]) continue;
    const auto aligned = std::int64_t{behind[place]};
    if (aligned >= start && aligned < start + length) continue;
    auto previous = std::int64_t{-1};
    for (std::uint32_t i = place; i <= place + length; ++i) {
      const auto target = i == 0 ? 0 : std::int64_t{behind[i - 1]} + 1;
      if (target == previous) continue;
      previous = target;
      moves_.push_back({start, length, static_cast<std::uint32_t>(target)});
    }
  }
}

// A target within the words, or directly after them, is counted as if they were removed.
TerEdits::Change TerEdits::change_by(const Move& move) {
  const auto words = std::span<const std::uint32_t>(hypothesis_);
  const auto moved = words.subspan(move.start, move.length);
  const auto behind = std::size_t{move.start} + move.length;
  std::span<const std::uint32_t> passed;
  changed_.clear();
  if (move.target < move.start) {
    passed = words.subspan(move.target, move.start - move.target);
    changed_.insert(changed_.end(), moved.begin(), moved.end());
    changed_.insert(changed_.end(), passed.begin(), passed.end());
    return {move.target, changed_};
  }
  auto end = std::size_t{move.target};
  if (end <= behind) end = std::min(words.size(), end + move.length);
  passed = words.subspan(behind, end - behind);
  changed_.insert(changed_.end(), passed.begin(), passed.end());
  changed_.insert(changed_.end(), moved.begin(), moved.end());
  return {move.start, changed_};
}

}  // namespace awend::metrics
