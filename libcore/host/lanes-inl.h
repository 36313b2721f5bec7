// Loops over rows whose number of floats is a multiple of 4; like other files of Highway with this
// ending, it is included once for each instruction set, after Highway's headers.
#if defined(AWEND_HOST_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef AWEND_HOST_LANES_INL
#undef AWEND_HOST_LANES_INL
#else
#define AWEND_HOST_LANES_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <span>

HWY_BEFORE_NAMESPACE();
namespace awend::host::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Four = hn::CappedTag<float, 4>;

/// Calls body(tag, i) for vectors that cover [0, count), from i on.
template <class Body>
HWY_INLINE void for_vectors(std::size_t count, const Body& body) {
  const hn::ScalableTag<float> d;
  const std::size_t n = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + n <= count; i += n) body(d, i);
  const Four four;
  for (; i < count; i += hn::Lanes(four)) body(four, i);
}

/// Calls write(tag, i, sum) for the sums over rows of weights[row] · row_of(row)[i] that cover
/// [0, count).  Each is one chain of fused multiply-adds in the order of the rows; several vectors
/// at a time, so that an addition need not wait for the one before.
template <class RowOf, class Write>
HWY_INLINE void for_weighted_sums(std::size_t count, std::span<const float> weights,
                                  const RowOf& row_of, const Write& write) {
  constexpr std::size_t kVectors = 4;
  const hn::ScalableTag<float> d;
  const std::size_t n = hn::Lanes(d);
  std::size_t begin = 0;
  for (; begin + kVectors * n <= count; begin += kVectors * n) {
    hn::Vec<hn::ScalableTag<float>> sums[kVectors];
    for (auto& sum : sums) sum = hn::Zero(d);
    for (std::size_t row = 0; row < weights.size(); ++row) {
      const float* const values = row_of(row) + begin;
      const auto weight = hn::Set(d, weights[row]);
#pragma GCC unroll 4
      for (std::size_t j = 0; j < kVectors; ++j)
        sums[j] = hn::MulAdd(weight, hn::LoadU(d, values + j * n), sums[j]);
    }
    for (std::size_t j = 0; j < kVectors; ++j) write(d, begin + j * n, sums[j]);
  }
  for_vectors(count - begin, [&](auto tag, std::size_t i) HWY_ATTR {
    auto sum = hn::Zero(tag);
    for (std::size_t row = 0; row < weights.size(); ++row) {
      const auto values = hn::LoadU(tag, row_of(row) + begin + i);
      sum = hn::MulAdd(hn::Set(tag, weights[row]), values, sum);
    }
    write(tag, begin + i, sum);
  });
}

/// The largest of any number of values.
HWY_INLINE float max_of(std::span<const float> values) {
  const hn::ScalableTag<float> d;
  const std::size_t n = hn::Lanes(d);
  float largest = -3e38F;
  std::size_t i = 0;
  if (values.size() >= n) {
    auto maxima = hn::Set(d, largest);
    for (; i + n <= values.size(); i += n)
      maxima = hn::Max(maxima, hn::LoadU(d, values.data() + i));
    largest = hn::GetLane(hn::MaxOfLanes(d, maxima));
  }
  for (; i < values.size(); ++i) largest = std::max(largest, values[i]);
  return largest;
}

}  // namespace awend::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
