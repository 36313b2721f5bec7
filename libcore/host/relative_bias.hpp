// Biases of scores by the position of a key relative to its query; the formula is in
// shaders/lib/relative_bias.glsl.  Test: tests/kernels/relative_attention_test.cpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

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

}  // namespace awend::host
