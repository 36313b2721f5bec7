#include "nn/initializer.hpp"

#include <cmath>

#include "base/random.hpp"

namespace awend::nn {
namespace {

// A word of the Philox counters, different from those of dropout and data.
constexpr std::uint32_t kStream = 0x73746172;

}  // namespace

std::vector<float> initial_values(const InitializerShape& shape, Initializer initializer,
                                  std::uint64_t seed) {
  const std::size_t count = std::size_t{shape.rows} * shape.columns;
  if (initializer == Initializer::kZero) return std::vector<float>(count, 0.0f);
  if (initializer == Initializer::kOne) return std::vector<float>(count, 1.0f);
  std::vector<float> values(count);
  const auto key = base::philox_key(seed);
  const double limit = std::sqrt(6.0 / (static_cast<double>(shape.rows) + shape.columns));
  const double deviation = initializer == Initializer::kSmallNormal
                               ? 0.1
                               : 1.0 / std::sqrt(static_cast<double>(shape.columns));
  for (std::size_t i = 0; i < count; ++i) {
    const auto words = base::philox({static_cast<std::uint32_t>(i), shape.index, 0, kStream}, key);
    values[i] = initializer == Initializer::kGlorotUniform
                    ? static_cast<float>(limit * (2.0 * base::uniform_float(words[0]) - 1.0))
                    : static_cast<float>(deviation * base::normal_float(words[0], words[1]));
  }
  return values;
}

}  // namespace awend::nn
