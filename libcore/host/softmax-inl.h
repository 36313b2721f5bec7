// Softmax of rows of any length; included once for each instruction set, after Highway's headers.
#if defined(AWEND_HOST_SOFTMAX_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef AWEND_HOST_SOFTMAX_INL
#undef AWEND_HOST_SOFTMAX_INL
#else
#define AWEND_HOST_SOFTMAX_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

#include "host/lanes-inl.h"
#include "host/math-inl.h"
#include "host/sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace awend::host::HWY_NAMESPACE {

/// Calls use(i, tag, exponentials, count) with exp(values − shift) of `count` values from i on, and
/// returns the sum of all.
template <class Use>
HWY_INLINE float sum_exponentials(std::span<const float> values, float shift, const Use& use) {
  constexpr std::size_t kCount = SixteenSums::kCount;
  SixteenSums sums;
  const auto add = [&](const float* block, std::size_t first) HWY_ATTR {
    sums.add([&](auto d, std::size_t i) HWY_ATTR {
      const auto e = exponential(d, hn::Sub(hn::LoadU(d, block + i), hn::Set(d, shift)));
      const std::size_t left = values.size() - std::min(first + i, values.size());
      use(first + i, d, e, std::min(left, hn::Lanes(d)));
      return e;
    });
  };
  std::size_t i = 0;
  for (; i + kCount <= values.size(); i += kCount) add(values.data() + i, i);
  if (i < values.size()) {
    float rest[kCount];
    std::fill_n(rest, kCount, -std::numeric_limits<float>::infinity());
    std::copy(values.begin() + static_cast<std::ptrdiff_t>(i), values.end(), rest);
    add(rest, i);
  }
  return sums.total();
}

/// ln Σ exp(values − maximum).
HWY_INLINE float log_sum_exp(std::span<const float> values, float maximum) {
  return std::log(sum_exponentials(values, maximum, [](auto...) HWY_ATTR {}));
}

/// Values become their softmax, which includes `zeros` more values that are 0 and not stored.
HWY_INLINE void softmax(std::span<float> values, std::size_t zeros = 0) {
  const float shift = zeros > 0 ? std::max(max_of(values), 0.0F) : max_of(values);
  float sum = sum_exponentials(
      values, shift, [&](std::size_t i, auto d, auto e, std::size_t count) HWY_ATTR {
        if (count == hn::Lanes(d)) return hn::StoreU(e, d, values.data() + i);
        HWY_ALIGN float rest[SixteenSums::kCount];
        hn::Store(e, d, rest);
        std::copy_n(rest, count, values.data() + std::min(i, values.size()));
      });
  if (zeros > 0) sum += static_cast<float>(zeros) * std::exp(-shift);
  const float inverse = 1.0F / sum;
  for (float& value : values) value *= inverse;
}

}  // namespace awend::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
