// How the work of attention is divided: groups of rows of one head whose other rows overlap.
//
// Rows are queries and the other rows keys, or the other way round.  A row's result does not
// depend on the group.  Test: tests/unit/host/attention_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "host/thread_pool.hpp"

namespace awend::host {

/// Other rows are processed in blocks, and widths of heads padded to them: the length of the
/// longest vectors, so that sums over other rows do not depend on the instruction set.
inline constexpr std::size_t kBlockRows = 16;
inline constexpr std::size_t kMaxTileRows = 8;

constexpr std::size_t padded(std::size_t count) {
  return (count + kBlockRows - 1) / kBlockRows * kBlockRows;
}

/// The distance between rows of numbers of `count` other rows: no multiple of a large power of two,
/// with which few sets of a cache would hold all rows.
constexpr std::size_t row_stride(std::size_t count) {
  return count <= 4 * kBlockRows ? padded(count) : padded(count) | kBlockRows;
}

/// Whether the rows of a kernel are queries, by its arguments: the gradient of keys has dk.
template <class Arguments>
inline constexpr bool kRowsAreQueries = !requires(const Arguments& arguments) {
  arguments.dk;
};

/// Rows [first, end) and all of their other rows [begin_other, end_other), of which a row may have
/// few.
struct RowGroup {
  std::size_t first;
  std::size_t end;
  std::size_t begin_other;
  std::size_t end_other;

  std::size_t rows() const { return end - first; }
  std::size_t other_rows() const { return end_other - begin_other; }
};

/// The most rows of a group.  A long sentence has several groups, so that threads can share it, and
/// each of them packs the other rows again.
inline constexpr std::size_t kMaxGroupRows = 128;

/// Groups of consecutive rows; `ranges` (rows, 2) has the first other row of each row and the end
/// of its other rows.
std::vector<RowGroup> groups_of(const std::uint32_t* ranges, std::size_t rows);

/// The work of attention and the memory that it needs.
struct AttentionWork {
  std::size_t heads;
  std::size_t width;    ///< d_k + d_v
  std::size_t scratch;  ///< Floats for each other row, of row_stride() of them.
  std::size_t extra;    ///< Floats in addition.
};

/// Calls body(group, head, scratch) for all groups and heads, on several threads if that is worth
/// it.
void for_groups(
    ThreadPool& pool, const std::vector<RowGroup>& groups, const AttentionWork& work,
    const std::function<void(const RowGroup& group, std::size_t head, float* scratch)>& body);

}  // namespace awend::host
