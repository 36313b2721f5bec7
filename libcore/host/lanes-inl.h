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
