// Sums of floats in an order that no instruction set changes; included once for each instruction
// set, after Highway's headers.  Test: tests/unit/host/rows_test.cpp.
#if defined(AWEND_HOST_SUMS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef AWEND_HOST_SUMS_INL
#undef AWEND_HOST_SUMS_INL
#else
#define AWEND_HOST_SUMS_INL
#endif

#include <hwy/highway.h>

#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace awend::host::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// `kSums` partial sums, 8 or 16, in as many vectors as they need.
template <std::size_t kSums>
class PartialSums {
 public:
  static constexpr std::size_t kCount = kSums;
  using Tag = hn::CappedTag<float, kCount>;

  PartialSums() {
    for (auto& sum : sums_) sum = hn::Zero(Tag());
  }

  /// Adds value(tag, i) to the partial sums from i on, for all.
  template <class Value>
  HWY_INLINE void add(const Value& value) {
    const Tag d;
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kParts; ++i)
      sums_[i] = hn::Add(sums_[i], value(d, i * hn::Lanes(d)));
  }

  /// Adds a[i] b[i] to partial sum i, with one rounding where the instruction set has that.
  HWY_INLINE void add_products(const float* a, const float* b) {
    const Tag d;
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kParts; ++i) {
      const std::size_t at = i * hn::Lanes(d);
      sums_[i] = hn::MulAdd(hn::LoadU(d, a + at), hn::LoadU(d, b + at), sums_[i]);
    }
  }

  /// As add(), for the first `count` partial sums, a multiple of 4.
  template <class Value>
  HWY_INLINE void add_first(std::size_t count, const Value& value) {
    const Tag d;
    const hn::CappedTag<float, 4> four;
    HWY_ALIGN float sums[kCount];
    store(sums);
    for (std::size_t i = 0; i < count; i += hn::Lanes(four))
      hn::StoreU(hn::Add(hn::LoadU(four, sums + i), value(four, i)), four, sums + i);
    for (std::size_t i = 0; i < kParts; ++i) sums_[i] = hn::Load(d, sums + i * hn::Lanes(d));
  }

  /// Sum i + sum i + n for n = kCount / 2, kCount / 4, … 1.
  float total() const {
    HWY_ALIGN float sums[kCount];
    store(sums);
#if HWY_TARGET == HWY_SCALAR
    for (std::size_t n = kCount / 2; n > 0; n /= 2) {
      for (std::size_t i = 0; i < n; ++i) sums[i] += sums[i + n];
    }
    return sums[0];
#else
    const hn::CappedTag<float, 4> four;
    auto sum = hn::Add(hn::Load(four, sums), hn::Load(four, sums + kCount / 2));
    if constexpr (kCount == 16)
      sum = hn::Add(sum, hn::Add(hn::Load(four, sums + 4), hn::Load(four, sums + 12)));
    const auto pairs = hn::Add(sum, hn::Shuffle1032(sum));
    return hn::GetLane(hn::Add(pairs, hn::Shuffle2301(pairs)));
#endif
  }

 private:
  static_assert(kCount == 8 || kCount == 16);
  static constexpr std::size_t kParts = kCount / hn::MaxLanes(Tag());

  void store(float* sums) const {
    const Tag d;
    for (std::size_t i = 0; i < kParts; ++i) hn::Store(sums_[i], d, sums + i * hn::Lanes(d));
  }

  hn::Vec<Tag> sums_[kParts];
};

using EightSums = PartialSums<8>;
using SixteenSums = PartialSums<16>;

/// Adds value(tag, i) for vectors that cover [0, count), a multiple of 4.
template <class Value>
HWY_INLINE void add_all(SixteenSums& sums, std::size_t count, const Value& value) {
  std::size_t at = 0;
  const auto shifted = [&](auto d, std::size_t i) HWY_ATTR { return value(d, at + i); };
  for (; at + SixteenSums::kCount <= count; at += SixteenSums::kCount) sums.add(shifted);
  if (at < count) sums.add_first(count - at, shifted);
}

/// Σ a b of `count` floats, a multiple of 4, each product rounded.
HWY_INLINE float product_sum(const float* a, const float* b, std::size_t count) {
  SixteenSums sums;
  add_all(sums, count, [&](auto d, std::size_t i) HWY_ATTR {
    return hn::Mul(hn::LoadU(d, a + i), hn::LoadU(d, b + i));
  });
  return sums.total();
}

/// The sum of the four floats that value(tag, i) returns for [0, 4).
template <class Value>
HWY_INLINE float sum_of_four(const Value& value) {
  const hn::CappedTag<float, 4> four;
  HWY_ALIGN float values[4];
  for (std::size_t i = 0; i < 4; i += hn::Lanes(four)) hn::Store(value(four, i), four, values + i);
  return (values[0] + values[2]) + (values[1] + values[3]);
}

/// The sum of the vectors that value(tag, i) returns for [0, count), a multiple of 4.
template <class Value>
HWY_INLINE float sum_over(std::size_t count, const Value& value) {
  EightSums sums;
  std::size_t at = 0;
  const auto shifted = [&](auto d, std::size_t i) HWY_ATTR { return value(d, at + i); };
  for (; at + EightSums::kCount <= count; at += EightSums::kCount) sums.add(shifted);
  const float total = sums.total();
  return at < count ? total + sum_of_four(shifted) : total;
}

/// Σ a b of `count` floats, a multiple of 4.
HWY_INLINE float dot(std::size_t count, const float* a, const float* b) {
  EightSums sums;
  std::size_t at = 0;
  for (; at + EightSums::kCount <= count; at += EightSums::kCount)
    sums.add_products(a + at, b + at);
  const float total = sums.total();
  if (at == count) return total;
  return total + sum_of_four([&](auto d, std::size_t i) HWY_ATTR {
           return hn::Mul(hn::LoadU(d, a + at + i), hn::LoadU(d, b + at + i));
         });
}

}  // namespace awend::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
