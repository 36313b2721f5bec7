#include "text/subword_nmt/python_random.hpp"

#include <algorithm>
#include <vector>

namespace awend::text {
namespace {

// Provides the initial state of std::mt19937 by init_by_array (Matsumoto and Nishimura, 2002),
// which defines these constants.
class InitByArray {
 public:
  using result_type = std::uint32_t;

  explicit InitByArray(std::uint64_t seed) : key_{static_cast<std::uint32_t>(seed)} {
    if (seed >> 32 != 0) key_.push_back(static_cast<std::uint32_t>(seed >> 32));
  }

  template <class Iterator>
  void generate(Iterator begin, Iterator end) const {
    const auto size = static_cast<std::size_t>(end - begin);
    std::vector<std::uint32_t> state(size);
    state[0] = 19650218;
    const auto spread = [&](std::size_t i) { return state[i - 1] ^ state[i - 1] >> 30; };
    for (std::size_t i = 1; i < size; ++i)
      state[i] = 1812433253U * spread(i) + static_cast<std::uint32_t>(i);
    // Two passes over the state; the first word is always a copy of the last.
    std::size_t i = 1;
    const auto advance = [&] {
      if (++i < size) return;
      state[0] = state[size - 1];
      i = 1;
    };
    for (std::size_t step = 0, rounds = std::max(size, key_.size()); step < rounds; ++step) {
      const std::size_t word = step % key_.size();
      state[i] = (state[i] ^ spread(i) * 1664525U) + key_[word] + static_cast<std::uint32_t>(word);
      advance();
    }
    for (std::size_t step = 1; step < size; ++step) {
      state[i] = (state[i] ^ spread(i) * 1566083941U) - static_cast<std::uint32_t>(i);
      advance();
    }
    state[0] = 1U << 31;
    std::copy(state.begin(), state.end(), begin);
  }

 private:
  std::vector<std::uint32_t> key_;
};

std::mt19937 engine_of(std::uint64_t seed) {
  InitByArray first_state(seed);
  return std::mt19937(first_state);
}

}  // namespace

PythonRandom::PythonRandom(std::uint64_t seed) : engine_(engine_of(seed)) {}

}  // namespace awend::text
