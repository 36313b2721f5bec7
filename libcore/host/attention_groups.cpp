#include "host/attention_groups.hpp"

#include <algorithm>
#include <atomic>

namespace awend::host {
namespace {

// Multiplications of about ten microseconds.
constexpr std::size_t kMinMultiplications = 200'000;

/// Memory of a thread, kept from one attention to the next.
float* scratch_of_thread(std::size_t floats) {
  thread_local std::vector<float> scratch;
  if (scratch.size() < floats) scratch.resize(floats);
  return scratch.data();
}

}  // namespace

std::vector<RowGroup> groups_of(const std::uint32_t* ranges, std::size_t rows) {
  std::vector<RowGroup> groups;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t begin = ranges[2 * row];
    const std::size_t end = std::max<std::size_t>(begin, ranges[2 * row + 1]);
    if (!groups.empty() && groups.back().rows() < kMaxGroupRows) {
      RowGroup& last = groups.back();
      const bool overlaps = begin < last.end_other && end > last.begin_other;
      if (begin == last.begin_other || overlaps) {
        last.end = row + 1;
        last.begin_other = std::min(last.begin_other, begin);
        last.end_other = std::max(last.end_other, end);
        continue;
      }
    }
    groups.push_back({row, row + 1, begin, end});
  }
  return groups;
}

void for_groups(
    ThreadPool& pool, const std::vector<RowGroup>& groups, const AttentionWork& work,
    const std::function<void(const RowGroup& group, std::size_t head, float* scratch)>& body) {
  std::size_t multiplications = 0;
  std::size_t other_rows = 0;
  for (const RowGroup& group : groups) {
    multiplications += group.rows() * group.other_rows() * work.heads * work.width;
    other_rows = std::max(other_rows, row_stride(group.other_rows()));
  }
  const std::size_t units = groups.size() * work.heads;
  const auto threads = static_cast<unsigned>(std::clamp<std::size_t>(
      std::min(multiplications / kMinMultiplications, units), 1, std::size_t{pool.size()}));
  std::atomic<std::size_t> next = 0;
  pool.run(threads, [&](unsigned) {
    float* const scratch = scratch_of_thread(other_rows * work.scratch + work.extra);
    for (std::size_t unit = next++; unit < units; unit = next++)
      body(groups[unit / work.heads], unit % work.heads, scratch);
  });
}

}  // namespace awend::host
