// What tests of functions with several instruction sets share.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <string_view>
#include <vector>

#include "host/product.hpp"
#include "host/thread_pool.hpp"
#include "tests/catch.hpp"

namespace awend::host {

inline bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), sizeof(float) * a.size()) == 0;
}

inline std::vector<float> uniform_floats(std::size_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> values(count);
  for (float& value : values) value = uniform(random);
  return values;
}

/// The results of run(pool) for every instruction set of this machine and for 1 to 4 threads, which
/// are the same for all sets with fused multiply-add.
template <class Run>
std::vector<float> result_of_all(const Run& run) {
  std::vector<float> result;
  for (const auto set : instruction_sets()) {
    CAPTURE(set);
    use_instruction_set(set);
    std::vector<float> of_set;
    for (const unsigned threads : {1U, 2U, 3U, 4U}) {
      CAPTURE(threads);
      ThreadPool pool(threads);
      const std::vector<float> values = run(pool);
      if (of_set.empty()) of_set = values;
      REQUIRE(same_bits(values, of_set));
    }
    const bool has_fma = set.starts_with("AVX") || set.starts_with("NEON");
    if (result.empty()) result = of_set;
    if (has_fma) REQUIRE(same_bits(of_set, result));
  }
  use_instruction_set("");
  return result;
}

}  // namespace awend::host
