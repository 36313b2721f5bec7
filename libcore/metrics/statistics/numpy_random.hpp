// The random numbers of numpy's default_rng(seed), bit for bit, so that resampling tests use the
// samples of sacreBLEU: SeedSequence fills the state of PCG64 (O'Neill 2014; XSL-RR, 128 bits).
//
// Test: tests/unit/metrics/statistics/resampling_test.cpp.
#pragma once

#include <cstdint>

namespace awend::metrics {

class NumpyRandom {
 public:
  explicit NumpyRandom(std::uint64_t seed);

  std::uint64_t next64() {
    state_ = state_ * kMultiplier + increment_;
    const auto folded =
        static_cast<std::uint64_t>(state_ >> 64) ^ static_cast<std::uint64_t>(state_);
    const auto turn = static_cast<unsigned>(state_ >> 122);
    return folded >> turn | folded << (-turn & 63);
  }

  /// The low half of 64 bits, then the high one.
  std::uint32_t next32() {
    if (has_high_) {
      has_high_ = false;
      return high_;
    }
    const auto both = next64();
    has_high_ = true;
    high_ = static_cast<std::uint32_t>(both >> 32);
    return static_cast<std::uint32_t>(both);
  }

  /// A number below `end`, uniformly distributed (Lemire 2019).  Requires: end > 0.
  std::uint32_t below(std::uint32_t end) {
    auto product = std::uint64_t{next32()} * end;
    if (static_cast<std::uint32_t>(product) < end) {
      const std::uint32_t uneven = -end % end;
      while (static_cast<std::uint32_t>(product) < uneven) product = std::uint64_t{next32()} * end;
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

 private:
  using Wide = unsigned __int128;
  static constexpr Wide kMultiplier = Wide{2549297995355413924U} << 64 | 4865540595714422341U;

  Wide state_ = 0;
  Wide increment_ = 0;
  std::uint32_t high_ = 0;
  bool has_high_ = false;
};

/// A seed from the operating system.
std::uint64_t unpredictable_seed();

}  // namespace awend::metrics
