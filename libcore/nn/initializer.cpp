#include "nn/initializer.hpp"

#include <array>
#include <cmath>
#include <functional>

#include "base/random.hpp"

namespace awend::nn {
namespace {

// A word of the Philox counters, different from those of dropout and data.
constexpr std::uint32_t kStream = 0x73746172;

// Of a truncated normal distribution, in standard deviations.
constexpr double kTruncation = 2;

/// Random numbers of one parameter.
class Numbers {
 public:
  Numbers(std::uint32_t parameter, std::uint64_t seed)
      : parameter_(parameter), key_(base::philox_key(seed)) {}

  /// U(−1, 1)
  double uniform(std::uint32_t i) const { return 2.0 * base::uniform_float(words(i, 0)[0]) - 1.0; }
  double normal(std::uint32_t i, std::uint32_t trial = 0) const {
    const auto drawn = words(i, trial);
    return base::normal_float(drawn[0], drawn[1]);
  }
  double truncated_normal(std::uint32_t i) const {
    double value = normal(i);
    for (std::uint32_t trial = 1; std::abs(value) > kTruncation; ++trial) value = normal(i, trial);
    return value;
  }

 private:
  std::array<std::uint32_t, 4> words(std::uint32_t i, std::uint32_t trial) const {
    return base::philox({i, parameter_, trial, kStream}, key_);
  }

  std::uint32_t parameter_;
  base::PhiloxKey key_;
};

/// The value at place `i`.
std::function<double(std::uint32_t i)> values_of(const InitializerShape& shape,
                                                 const InitialValues& how, const Numbers& numbers) {
  const auto& [weights, deviation] = how.distribution;
  if (weights == RandomWeights::kTruncatedNormal)
    return [=](std::uint32_t i) { return deviation * numbers.truncated_normal(i); };
  const double limit = std::sqrt(6.0 / (static_cast<double>(shape.rows) + shape.columns));
  if (weights == RandomWeights::kByParameter && how.initializer == Initializer::kGlorotUniform)
    return [=](std::uint32_t i) { return limit * numbers.uniform(i); };
  double scale = deviation;
  if (weights == RandomWeights::kByParameter) {
    scale = how.initializer == Initializer::kSmallNormal
                ? 0.1
                : 1.0 / std::sqrt(static_cast<double>(shape.columns));
  }
  return [=](std::uint32_t i) { return scale * numbers.normal(i); };
}

}  // namespace

std::vector<float> initial_values(const InitializerShape& shape, const InitialValues& how,
                                  std::uint64_t seed) {
  const std::size_t count = std::size_t{shape.rows} * shape.columns;
  if (how.initializer == Initializer::kZero) return std::vector<float>(count, 0.0f);
  if (how.initializer == Initializer::kOne) return std::vector<float>(count, 1.0f);
  std::vector<float> values(count);
  const auto value = values_of(shape, how, Numbers(shape.index, seed));
  for (std::size_t i = 0; i < count; ++i)
    values[i] = static_cast<float>(value(static_cast<std::uint32_t>(i)));
  return values;
}

}  // namespace awend::nn
