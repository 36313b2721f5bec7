// The random numbers of base/random.hpp in vectors; included once for each instruction set, after
// Highway's headers.
#if defined(AWEND_HOST_PHILOX_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef AWEND_HOST_PHILOX_INL
#undef AWEND_HOST_PHILOX_INL
#else
#define AWEND_HOST_PHILOX_INL
#endif

#include <hwy/highway.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/random.hpp"
#include "host/dropout.hpp"
#include "host/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace awend::host::HWY_NAMESPACE {

using Floats = hn::ScalableTag<float>;
using FloatVector = hn::Vec<Floats>;

/// The keys of all rounds, in memory because broadcasts from there cost less than from registers.
struct PhiloxKeys {
  explicit PhiloxKeys(const Dropout& dropout) {
    std::uint32_t key0 = dropout.seed_low, key1 = dropout.seed_high;
    for (std::size_t round = 0; round < kRounds; ++round) {
      low[round] = key0;
      high[round] = key1;
      key0 += 0x9E3779B9;
      key1 += 0xBB67AE85;
    }
  }

  static constexpr std::size_t kRounds = 10;
  std::uint64_t low[kRounds];
  std::uint64_t high[kRounds];
};

#if HWY_TARGET != HWY_SCALAR

// A word is in the low half of a 64-bit lane; the high half has any value.  So a product of words
// needs no shuffles, and its low word no mask.
using Wide = hn::ScalableTag<std::uint64_t>;
using WideVector = hn::Vec<Wide>;

/// Counters of Philox4x32, or the words that it makes of them, one of each in a lane.
struct PhiloxWords {
  WideVector x, y, z, w;
};

HWY_INLINE WideVector word_product(WideVector a, WideVector b) {
  const hn::Repartition<std::uint32_t, Wide> words;
  return hn::MulEven(hn::BitCast(words, a), hn::BitCast(words, b));
}

HWY_INLINE WideVector exclusive_or(WideVector a, WideVector b, WideVector c) {
  return hn::Xor(hn::Xor(a, b), c);
}

HWY_INLINE PhiloxWords philox(PhiloxWords counter, const PhiloxKeys& keys) {
  const Wide d;
  const auto multiplier0 = hn::Set(d, std::uint64_t{0xD2511F53});
  const auto multiplier1 = hn::Set(d, std::uint64_t{0xCD9E8D57});
#pragma GCC unroll 10
  for (std::size_t round = 0; round < PhiloxKeys::kRounds; ++round) {
    const auto product0 = word_product(counter.x, multiplier0);
    const auto product1 = word_product(counter.z, multiplier1);
    const auto key0 = hn::Set(d, keys.low[round]);
    const auto key1 = hn::Set(d, keys.high[round]);
    counter = {exclusive_or(hn::ShiftRight<32>(product1), counter.y, key0), product1,
               exclusive_or(hn::ShiftRight<32>(product0), counter.w, key1), product0};
  }
  return counter;
}

using WordVector = hn::Vec<hn::RebindToUnsigned<Floats>>;

/// The low words of two vectors, of `even` in the even lanes.
HWY_INLINE WordVector low_words(WideVector even, WideVector odd) {
  const hn::RebindToUnsigned<Floats> words;
  return hn::OddEven(hn::BitCast(words, hn::ShiftLeft<32>(odd)), hn::BitCast(words, even));
}

/// 0 or the scale, for each random word.
HWY_INLINE FloatVector factors_of(WordVector words, const Dropout& dropout) {
  const Floats d;
  const auto dropped = hn::Lt(words, hn::Set(hn::RebindToUnsigned<Floats>(), dropout.threshold));
  return hn::IfThenElse(hn::RebindMask(d, dropped), hn::Zero(d), hn::Set(d, dropout.scale));
}

/// The factors of two vectors of elements.
struct TwoFactors {
  FloatVector first, second;
};

/// The factors of the groups of four elements from `index` on.
HWY_INLINE TwoFactors element_factors(const Dropout& dropout, const PhiloxKeys& keys,
                                      std::uint32_t index) {
  const Wide d;
  const hn::RebindToUnsigned<Floats> words;
  // Lane 2i has group i and lane 2i + 1 has group n / 2 + i: interleaving restores the order.
  const auto group = hn::ShiftRight<1>(hn::Iota(d, std::uint64_t{0}));
  const auto half = hn::Set(d, std::uint64_t{hn::Lanes(d) / 2});
  const auto counter =
      hn::Add(hn::OddEven(hn::Add(group, half), group), hn::Set(d, std::uint64_t{index}));
  const auto r = philox({counter, hn::Set(d, std::uint64_t{dropout.dropout_id}),
                         hn::Set(d, std::uint64_t{dropout.step}), hn::Zero(d)},
                        keys);
  const auto xy = hn::BitCast(d, low_words(r.x, r.y));
  const auto zw = hn::BitCast(d, low_words(r.z, r.w));
  return {factors_of(hn::BitCast(words, hn::InterleaveLower(d, xy, zw)), dropout),
          factors_of(hn::BitCast(words, hn::InterleaveUpper(d, xy, zw)), dropout)};
}

/// Calls body(tag, i, factors) for vectors that cover `count` elements, a multiple of 4, of which
/// the first is in group `index`; with factors of 1 without dropout.
template <class Body>
HWY_INLINE void for_factors(const std::optional<Dropout>& dropout, std::uint32_t index,
                            std::size_t count, const Body& body) {
  if (!dropout) {
    for_vectors(count, [&](auto d, std::size_t i) HWY_ATTR { body(d, i, hn::Set(d, 1.0F)); });
    return;
  }
  const PhiloxKeys keys(*dropout);
  const Floats d;
  const std::size_t n = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + 2 * n <= count; i += 2 * n) {
    const auto factors = element_factors(*dropout, keys, index + static_cast<std::uint32_t>(i / 4));
    body(d, i, factors.first);
    body(d, i + n, factors.second);
  }
  if (i == count) return;
  HWY_ALIGN float rest[2 * hn::MaxLanes(Floats())];
  const auto factors = element_factors(*dropout, keys, index + static_cast<std::uint32_t>(i / 4));
  hn::Store(factors.first, d, rest);
  hn::Store(factors.second, d, rest + n);
  const Four four;
  for (std::size_t at = 0; i < count; i += 4, at += 4) body(four, i, hn::LoadU(four, rest + at));
}

#else  // one lane, and no 64-bit lanes

HWY_INLINE float factor_of(std::uint32_t word, const Dropout& dropout) {
  return word < dropout.threshold ? 0 : dropout.scale;
}

template <class Body>
HWY_INLINE void for_factors(const std::optional<Dropout>& dropout, std::uint32_t index,
                            std::size_t count, const Body& body) {
  const Floats d;
  for (std::size_t i = 0; i < count; i += 4, ++index) {
    std::array<float, 4> factors = {1, 1, 1, 1};
    if (dropout) {
      const auto words = base::philox({index, dropout->dropout_id, dropout->step, 0},
                                      {dropout->seed_low, dropout->seed_high});
      for (std::size_t j = 0; j < 4; ++j) factors[j] = factor_of(words[j], *dropout);
    }
    for (std::size_t j = 0; j < 4; ++j) body(d, i + j, hn::Set(d, factors[j]));
  }
}

#endif

/// Dropout of the attention weights of one head.
class WeightDropout {
 public:
  WeightDropout(const std::optional<Dropout>& dropout, std::size_t head)
      : drops_(dropout.has_value()),
        dropout_(dropout.value_or(Dropout{})),
        word_(dropout_.dropout_id << 8 | static_cast<std::uint32_t>(head)),
        keys_(dropout_) {}

  bool drops() const { return drops_; }

  /// The factors of one query for a vector of keys from `key` on, or of one key for a vector of
  /// queries from `query` on; both are numbered in the whole update.
  template <bool kKeysInLanes>
  HWY_INLINE FloatVector factors(std::size_t query, std::size_t key) const {
#if HWY_TARGET == HWY_SCALAR
    const auto words = base::philox(
        {static_cast<std::uint32_t>(query), static_cast<std::uint32_t>(key), word_, dropout_.step},
        {dropout_.seed_low, dropout_.seed_high});
    return hn::Set(Floats(), factor_of(words[0], dropout_));
#else
    const Wide d;
    const auto lane = hn::Iota(d, std::uint64_t{0});
    const auto even_lanes = hn::Add(lane, lane);
    const auto words = [&](std::uint64_t odd) HWY_ATTR {
      const auto first = hn::Set(d, (kKeysInLanes ? key : query) + odd);
      const auto in_lanes = hn::Add(first, even_lanes);
      const auto other = hn::Set(d, std::uint64_t{kKeysInLanes ? query : key});
      return philox({kKeysInLanes ? other : in_lanes, kKeysInLanes ? in_lanes : other,
                     hn::Set(d, std::uint64_t{word_}), hn::Set(d, std::uint64_t{dropout_.step})},
                    keys_)
          .x;
    };
    return factors_of(low_words(words(0), words(1)), dropout_);
#endif
  }

 private:
  const bool drops_;
  const Dropout dropout_;
  const std::uint32_t word_;
  const PhiloxKeys keys_;
};

}  // namespace awend::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
