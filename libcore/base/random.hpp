// Random numbers: Philox4x32-10, a function from (counter, key) to 128 random bits.
//
// A counter-based generator has no state to save: in the backward pass, dropout in a shader
// recomputes its mask from (step, position), and the order of sentences depends only on (seed,
// epoch). Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (SC 2011).  Shaders
// evaluate the same function.  Test: tests/unit/base/random_test.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace awend::base {

using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

/// Ten rounds of Philox4x32: four random words for `counter` and `key`.
std::array<std::uint32_t, 4> philox(PhiloxCounter counter, PhiloxKey key);

/// The key of a seed: {low word, high word}.
PhiloxKey philox_key(std::uint64_t seed);

/// A float in [0, 1) from the top 24 bits of a word, which a float represents exactly.
inline float uniform_float(std::uint32_t word) {
  return static_cast<float>(word >> 8) * 0x1p-24F;
}

/// A standard normal number from two words (Box and Muller).
float normal_float(std::uint32_t first, std::uint32_t second);

/// The threshold below which a random word drops its element: `probability` * 2^32, for 0 <=
/// probability < 1.  An element is kept iff its word is at least the threshold, on the host and in
/// the shaders.
std::uint32_t dropout_threshold(double probability);

/// A sequence of random numbers.  Generators with the same seed and different streams are
/// independent.
class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0);

  std::uint32_t word();

  /// A number in [0, bound), uniformly distributed.  Requires: bound > 0.
  std::uint32_t below(std::uint32_t bound);

  /// A float in [0, 1).
  float uniform() { return uniform_float(word()); }

  /// A standard normal float.
  float normal();

  /// Shuffles `items`; all orders are equally likely (Fisher and Yates).
  template <class Item>
  void shuffle(std::span<Item> items) {
    for (auto rest = items.size(); rest > 1; --rest) {
      std::swap(items[rest - 1], items[below(static_cast<std::uint32_t>(rest))]);
    }
  }

  /// A random permutation of the numbers 0 to count - 1.
  std::vector<std::uint32_t> permutation(std::uint32_t count);

 private:
  PhiloxKey key_;
  PhiloxCounter counter_;
  std::array<std::uint32_t, 4> words_{};
  std::size_t used_ = 4;
};

}  // namespace awend::base
