// Biases of scores by the position of a key relative to its query; the formula is in
// shaders/lib/relative_bias.glsl.  Test: tests/kernels/relative_attention_test.cpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "host/attention_groups.hpp"

namespace awend::host {

/// Whether a kernel adds biases to its scores, by its arguments.
template <class Arguments>
inline constexpr bool kHasBias = requires(const Arguments& arguments) {
  arguments.bias;
  arguments.buckets;
};

/// The bucket of the position of a key minus that of its query.
template <class Arguments>
std::size_t bucket_of(const Arguments& arguments, std::ptrdiff_t distance) {
  const auto limit = static_cast<std::ptrdiff_t>(arguments.max_distance);
  return arguments.buckets[std::clamp(distance, -limit, limit) + limit];
}

template <class Arguments>
float bias_of(const Arguments& arguments, std::ptrdiff_t distance, std::size_t head) {
  return arguments.bias[bucket_of(arguments, distance) * arguments.heads + head];
}

/// The biases of one head between the rows of a group and their other rows.  They depend on the
/// difference of both places, so that those of a row are consecutive.
template <class Arguments>
class GroupBiases {
 public:
  /// Floats of scratch memory for each of row_stride() other rows, and in addition.
  static constexpr std::size_t kScratch = kHasBias<Arguments> ? 1 : 0;
  static constexpr std::size_t kExtra = kHasBias<Arguments> ? kMaxGroupRows + kBlockRows : 0;
  static constexpr std::size_t floats(std::size_t other_rows) {
    return kScratch * other_rows + kExtra;
  }

  /// Writes them into `scratch`.
  GroupBiases(const Arguments& arguments, const RowGroup& group, std::size_t head, float* scratch)
      : last_(group.end - 1), biases_(scratch) {
    if constexpr (kHasBias<Arguments>) {
      const auto last = static_cast<std::ptrdiff_t>(arguments.rows_count.first() + last_);
      const auto first =
          static_cast<std::ptrdiff_t>(arguments.other_rows_count.first() + group.begin_other);
      const std::size_t count = group.rows() + row_stride(group.other_rows()) + kBlockRows;
      for (std::size_t i = 0; i < count; ++i) {
        const std::ptrdiff_t difference = first - last + static_cast<std::ptrdiff_t>(i);
        scratch[i] =
            bias_of(arguments, kRowsAreQueries<Arguments> ? difference : -difference, head);
      }
    }
  }

  /// Those between `row` and the other rows from `other` on, counted from the first of the group;
  /// whole vectors, up to kBlockRows after row_stride().
  const float* of(std::size_t row, std::size_t other) const {
    return biases_ + (last_ - row) + other;
  }

 private:
  std::size_t last_;
  const float* biases_;
};

}  // namespace awend::host
