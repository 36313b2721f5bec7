#include "metrics/statistics/numpy_random.hpp"

#include <array>
#include <random>

namespace awend::metrics {
namespace {

// Mixes its argument with a constant that changes from call to call.
class Hash {
 public:
  Hash(std::uint32_t start, std::uint32_t factor) : constant_(start), factor_(factor) {}
  std::uint32_t operator()(std::uint32_t value) {
    value ^= constant_;
    constant_ *= factor_;
    value *= constant_;
    return value ^ value >> 16;
  }

 private:
  std::uint32_t constant_, factor_;
};

std::uint32_t mix(std::uint32_t x, std::uint32_t y) {
  const std::uint32_t mixed = 0xCA01F9DD * x - 0x4973F715 * y;
  return mixed ^ mixed >> 16;
}

// numpy's SeedSequence: four 64-bit words from a seed of at most 64 bits.
std::array<std::uint64_t, 4> words_of(std::uint64_t seed) {
  std::array<std::uint32_t, 4> pool = {static_cast<std::uint32_t>(seed),
                                       static_cast<std::uint32_t>(seed >> 32), 0, 0};
  Hash in(0x43B0D7E5, 0x931E8875);
  for (auto& word : pool) word = in(word);
  for (std::size_t from = 0; from < pool.size(); ++from) {
    for (std::size_t to = 0; to < pool.size(); ++to) {
      if (to != from) pool[to] = mix(pool[to], in(pool[from]));
    }
  }
  Hash out(0x8B51F9DD, 0x58F38DED);
  std::array<std::uint64_t, 4> words{};
  for (std::size_t i = 0; i < 8; ++i)
    words[i / 2] |= std::uint64_t{out(pool[i % pool.size()])} << (i % 2 * 32);
  return words;
}

}  // namespace

NumpyRandom::NumpyRandom(std::uint64_t seed) {
  const auto words = words_of(seed);
  increment_ = (Wide{words[2]} << 64 | words[3]) << 1 | 1;
  next64();
  state_ += Wide{words[0]} << 64 | words[1];
  next64();
}

std::uint64_t unpredictable_seed() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

}  // namespace awend::metrics
