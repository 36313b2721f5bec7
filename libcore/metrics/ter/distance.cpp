#include "metrics/ter/distance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace awend::metrics {
namespace {

// Columns on either side of the diagonal, as in tercom.
constexpr int kBeamWidth = 25;
// The cost outside the beam; adding to it must not overflow.
constexpr std::int32_t kFar = 1 << 29;
// Equal to no word, not even to an unknown one.
constexpr std::uint32_t kNoWord = std::numeric_limits<std::uint32_t>::max();

std::int32_t unequal(std::uint32_t a, std::uint32_t b) {
  return a == b ? 0 : 1;
}

}  // namespace

void TerDistance::set(std::span<const std::uint32_t> hypothesis,
                      std::span<const std::uint32_t> reference) {
  hypothesis_ = hypothesis;
  reference_.assign(reference.size() + 2, kNoWord);
  std::ranges::copy(reference, reference_.begin() + 1);
  set_rows();
  go_forward();
  go_backward();
}

// The diagonal is a double, rounded down, as in sacreBLEU.
void TerDistance::set_rows() {
  const auto last = hypothesis_.size();
  const auto columns = static_cast<std::ptrdiff_t>(reference_.size()) - 1;
  const double slope = last > 0 ? static_cast<double>(columns - 1) / static_cast<double>(last) : 1;
  const auto width = static_cast<std::ptrdiff_t>(
      kBeamWidth < slope / 2 ? std::ceil(slope / 2 + kBeamWidth) : kBeamWidth);
  rows_.resize(last + 1);
  rows_[0] = {.begin = 0, .end = columns, .forward = 0, .backward = 0};
  for (std::size_t i = 1; i <= last; ++i) {
    const auto diagonal = static_cast<std::ptrdiff_t>(std::floor(static_cast<double>(i) * slope));
    rows_[i].begin = std::max<std::ptrdiff_t>(0, diagonal - width);
    rows_[i].end = i == last ? columns : std::min(columns, diagonal + width);
  }
  // The row below accesses one more column on the left and, because its end is later, on the right;
  // the row above accesses columns on the left from its beginning, and one more on the right.
  std::ptrdiff_t forward = 0, backward = 0;
  for (std::size_t i = 0; i <= last; ++i) {
    auto& row = rows_[i];
    row.forward = forward - (row.begin - 1);
    forward += std::max(row.end, rows_[std::min(i + 1, last)].end) - (row.begin - 1);
    if (i == 0) continue;  // the halves do not meet there
    row.backward = backward - rows_[i - 1].begin;
    backward += row.end + 1 - rows_[i - 1].begin;
  }
  forward_.resize(static_cast<std::size_t>(forward));
  backward_.resize(static_cast<std::size_t>(backward));
}

// Computes row i from the one above it, and the borders that the row below accesses.
void TerDistance::next_row(std::size_t i, std::uint32_t word, const Cost* above, Cost* row) const {
  const auto [begin, end, forward, backward] = rows_[i];
  const auto* reference = reference_.data();
  row[begin - 1] = kFar;
  auto left = kFar;
  for (auto j = begin; j < end; ++j) {
    const auto replaced = above[j - 1] + unequal(word, reference[j]);
    const auto deleted = above[j] + 1;
    left = std::min(std::min(replaced, deleted), left + 1);
    row[j] = left;
  }
  const auto below = i + 1 < rows_.size() ? rows_[i + 1].end : end;
  for (auto j = end; j < below; ++j) row[j] = kFar;
}

void TerDistance::go_forward() {
  auto* above = forward_.data() + rows_[0].forward;
  for (std::ptrdiff_t j = -1; j < rows_[0].end; ++j) above[j] = j < 0 ? kFar : static_cast<Cost>(j);
  for (std::size_t i = 1; i < rows_.size(); ++i) {
    auto* row = forward_.data() + rows_[i].forward;
    next_row(i, hypothesis_[i - 1], above, row);
    above = row;
  }
}

void TerDistance::go_backward() {
  const auto* reference = reference_.data();
  const auto last = rows_.size() - 1;
  for (auto i = last; i > 0; --i) {
    const auto begin = rows_[i].begin, end = rows_[i].end;
    auto* row = backward_.data() + rows_[i].backward;
    row[end] = kFar;
    if (i == last) {
      for (auto j = begin; j < end; ++j) row[j] = static_cast<Cost>(end - 1 - j);
    } else {
      const auto* below = backward_.data() + rows_[i + 1].backward;
      auto right = kFar;
      for (auto j = end - 1; j >= begin; --j) {
        const auto replaced = below[j + 1] + unequal(hypothesis_[i], reference[j + 1]);
        right = std::min(std::min(replaced, below[j] + 1), right + 1);
        row[j] = right;
      }
    }
    for (auto j = rows_[i - 1].begin; j < begin; ++j) row[j] = kFar;
  }
}

std::int32_t TerDistance::value() const {
  const auto& row = rows_.back();
  return forward_[static_cast<std::size_t>(row.forward + row.end - 1)];
}

std::int32_t TerDistance::value_with(std::size_t begin, std::span<const std::uint32_t> words) {
  for (auto& row : scratch_) row.resize(reference_.size() + 1);
  const auto* above = forward_.data() + rows_[begin].forward;
  const auto end = begin + words.size();
  for (auto i = begin; i < end; ++i) {
    auto* row = scratch_[i % 2].data() + 1;
    next_row(i + 1, words[i - begin], above, row);
    above = row;
  }
  const auto& joint = rows_[end];
  const auto* onward = backward_.data() + joint.backward;
  auto smallest = kFar;
  for (auto j = joint.begin; j < joint.end; ++j)
    smallest = std::min(smallest, above[j] + onward[j]);
  return smallest;
}

void TerDistance::align(TerAlignment& alignment) const {
  auto i = rows_.size() - 1;
  auto j = reference_.size() - 2;
  alignment.hypothesis_of.assign(j, 0);
  alignment.reference_wrong.assign(j, 0);
  alignment.hypothesis_wrong.assign(i, 0);
  while (i > 0 || j > 0) {
    const auto column = static_cast<std::ptrdiff_t>(j);
    const auto here = (forward_.data() + rows_[i].forward)[column];
    if (i > 0) {
      const auto* above = forward_.data() + rows_[i - 1].forward;
      const auto wrong = unequal(hypothesis_[i - 1], reference_[j]);
      if (j > 0 && above[column - 1] + wrong == here) {
        --i, --j;
        alignment.hypothesis_of[j] = static_cast<std::int32_t>(i);
        alignment.hypothesis_wrong[i] = alignment.reference_wrong[j] =
            static_cast<std::uint8_t>(wrong);
        continue;
      }
      if (above[column] + 1 == here) {
        alignment.hypothesis_wrong[--i] = 1;
        continue;
      }
    }
    alignment.reference_wrong[--j] = 1;
    alignment.hypothesis_of[j] = static_cast<std::int32_t>(i) - 1;
  }
}

}  // namespace awend::metrics
