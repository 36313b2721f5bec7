// What tests of functions with several instruction sets share.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <random>
#include <span>
#include <string_view>
#include <vector>

#include "base/checksum.hpp"
#include "host/product.hpp"
#include "host/thread_pool.hpp"
#include "shaders/arguments.hpp"
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

/// A number of rows for arguments, which refer to it.
class RowCount {
 public:
  explicit RowCount(std::size_t rows, std::uint32_t first = 0)
      : words_{static_cast<std::uint32_t>(rows), first} {}
  operator Count() const { return {words_}; }

 private:
  std::uint32_t words_[2];
};

/// Of dropout with a probability of 1/4.
inline constexpr std::uint32_t kDropoutId = 4, kThreshold = 1U << 30;
inline constexpr float kScale = 2;
inline StepScalars some_scalars() {
  StepScalars scalars{};
  scalars.seed_low = 1;
  scalars.seed_high = 2;
  scalars.step = 3;
  return scalars;
}

/// Whether products are added without rounding, which all these sets do in the same order.
inline bool has_fma(std::string_view set) {
  return set.starts_with("AVX") || set.starts_with("NEON");
}

/// Appends a line with a checksum of results to the file that AWEND_HOST_DIGESTS names, by which
/// the results of different machines are compared.
inline void note_digest(const std::vector<float>& values) {
  const char* const path = std::getenv("AWEND_HOST_DIGESTS");
  if (path == nullptr) return;
  base::Checksum checksum;
  checksum.add(std::as_bytes(std::span(values)));
  std::ofstream(path, std::ios::app) << Catch::getResultCapture().getCurrentTestName() << '\t'
                                     << base::hex(checksum.value()) << '\n';
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
    if (result.empty()) result = of_set;
    if (has_fma(set)) REQUIRE(same_bits(of_set, result));
  }
  use_instruction_set("");
  note_digest(result);
  return result;
}

}  // namespace awend::host
