// The largest magnitude of floats; included once for each instruction set, after Highway's headers.
#if defined(AWEND_HOST_MAGNITUDE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef AWEND_HOST_MAGNITUDE_INL
#undef AWEND_HOST_MAGNITUDE_INL
#else
#define AWEND_HOST_MAGNITUDE_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace awend::host::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Of any number of values.
HWY_INLINE float largest_magnitude(const float* x, std::size_t count) {
  const hn::ScalableTag<float> d;
  const std::size_t n = hn::Lanes(d);
  auto maxima = hn::Zero(d);
  std::size_t i = 0;
  for (; i + n <= count; i += n) maxima = hn::Max(maxima, hn::Abs(hn::LoadU(d, x + i)));
  float largest = hn::GetLane(hn::MaxOfLanes(d, maxima));
  for (; i < count; ++i) largest = std::max(largest, std::abs(x[i]));
  return largest;
}

}  // namespace awend::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
