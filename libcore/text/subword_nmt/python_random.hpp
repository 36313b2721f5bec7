// The random numbers of CPython's `random` module, so that BPE dropout with a seed skips the same
// merges as subword-nmt: the Mersenne Twister MT19937, seeded by init_by_array with the 32-bit
// words of the seed.  Test: tests/unit/text/subword_nmt/python_random_test.cpp.
#pragma once

#include <cstdint>
#include <random>

namespace awend::text {

class PythonRandom {
 public:
  /// As after random.seed(seed).
  explicit PythonRandom(std::uint64_t seed);

  /// As random.random(): in [0, 1), from the upper 27 and 26 bits of two words.
  double uniform() {
    const auto high = static_cast<double>(engine_() >> 5);
    const auto low = static_cast<double>(engine_() >> 6);
    return (high * 0x1p26 + low) * 0x1p-53;
  }

 private:
  std::mt19937 engine_;
};

}  // namespace awend::text
