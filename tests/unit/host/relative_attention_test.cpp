// Attention with biases by relative positions on the CPU: the bytes depend neither on threads and
// instruction sets nor on other sentences.  The values are compared with the reference in
// tests/kernels/relative_attention_test.cpp.
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "shaders/op_attention.h"
#include "shaders/op_attention_backward.h"
#include "shaders/op_attention_bias.h"
#include "tests/unit/host/sets.hpp"

namespace awend::host {
namespace {

constexpr std::size_t kHeads = 3, kWidth = 20, kBuckets = 8, kMaxDistance = 11;

/// Rows [begin, end) of a longer text, in sentences of these lengths.
struct Text {
  std::size_t begin;
  std::vector<std::size_t> lengths;
};

/// Sets the members that all kernels have.
template <class Arguments>
void set_shape(Arguments& arguments, const RowCount& rows, const StepScalars& scalars) {
  arguments.step = &scalars;
  arguments.heads = kHeads;
  arguments.d_k = arguments.d_v = kWidth;
  arguments.max_distance = kMaxDistance;
  arguments.drops = 1;
  arguments.rows_count = arguments.other_rows_count = rows;
  arguments.dropout_id = kDropoutId;
  arguments.threshold = kThreshold;
  arguments.scale = kScale;
}

/// y, log_sum_exp, dq, dk, dv and the sums of the gradients of biases, by row.
std::vector<float> attend(ThreadPool& pool, const Text& text) {
  std::vector<std::uint32_t> ranges, buckets;
  std::uint32_t first = 0;
  for (const std::size_t length : text.lengths) {
    const auto end = first + static_cast<std::uint32_t>(length);
    for (std::size_t row = 0; row < length; ++row) ranges.insert(ranges.end(), {first, end});
    first = end;
  }
  for (std::uint32_t i = 0; i <= 2 * kMaxDistance; ++i) buckets.push_back(i * 5 % kBuckets);
  const std::size_t rows = first, size = rows * kHeads * kWidth;
  const auto part = [&](std::uint32_t seed) {
    const auto all = uniform_floats(400 * kHeads * kWidth, seed);
    const auto* const begin = all.data() + text.begin * kHeads * kWidth;
    return std::vector<float>(begin, begin + size);
  };
  const auto q = part(1), k = part(2), v = part(3), dy = part(4);
  const auto bias = uniform_floats(kBuckets * kHeads, 5);
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> y(size, kNaN), dq(size, kNaN), dk(size, kNaN), dv(size, kNaN);
  std::vector<float> log_sum_exp(rows * kHeads, kNaN), deltas(rows * kHeads, kNaN),
      sums(rows * kBuckets * kHeads, kNaN);
  const StepScalars scalars = some_scalars();
  const RowCount count(rows, static_cast<std::uint32_t>(text.begin));
  AttentionBiased forward;
  forward.key_ranges = ranges.data();
  forward.y = y.data();
  forward.log_sum_exp = log_sum_exp.data();
  AttentionBiasedQuery query;
  query.y = y.data();
  query.dq = dq.data();
  query.deltas = deltas.data();
  AttentionBiasedKey key;
  key.deltas = deltas.data();
  key.dk = dk.data();
  key.dv = dv.data();
  AttentionBias gradient;
  gradient.deltas = deltas.data();
  gradient.sums = sums.data();
  gradient.bucket_count = kBuckets;
  const auto set = [&](auto& arguments) {
    set_shape(arguments, count, scalars);
    arguments.q = q.data();
    arguments.k = k.data();
    arguments.v = v.data();
    arguments.bias = bias.data();
    arguments.buckets = buckets.data();
    if constexpr (requires { arguments.dy; }) {
      arguments.ranges = ranges.data();
      arguments.dy = dy.data();
      arguments.log_sum_exp = log_sum_exp.data();
    }
  };
  set(forward);
  set(query);
  set(key);
  set(gradient);
  attention_biased(pool, forward);
  attention_biased_query(pool, query);
  attention_biased_key(pool, key);
  attention_bias(pool, gradient);
  std::vector<float> all;
  for (std::size_t row = 0; row < rows; ++row) {
    for (const auto* matrix : {&y, &log_sum_exp, &dq, &dk, &dv, &sums}) {
      const std::size_t width = matrix->size() / rows;
      const auto begin = matrix->begin() + static_cast<std::ptrdiff_t>(row * width);
      all.insert(all.end(), begin, begin + static_cast<std::ptrdiff_t>(width));
    }
  }
  for (const float value : all) REQUIRE(!std::isnan(value));
  return all;
}

const std::vector<std::size_t> kLengths = {1, 3, 17, 70, 130, 4};

}  // namespace

TEST_CASE("attention with relative positions: threads and instruction sets give the same bytes") {
  result_of_all([](ThreadPool& pool) { return attend(pool, {0, kLengths}); });
}

TEST_CASE("attention with relative positions: a sentence has the same bytes without the others") {
  ThreadPool pool(2);
  const auto expected = attend(pool, {0, kLengths});
  std::vector<float> parts;
  std::size_t begin = 0;
  for (const std::size_t length : kLengths) {
    const auto part = attend(pool, {begin, {length}});
    parts.insert(parts.end(), part.begin(), part.end());
    begin += length;
  }
  CHECK(same_bits(parts, expected));
}

}  // namespace awend::host
