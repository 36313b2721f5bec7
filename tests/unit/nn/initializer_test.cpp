// Distributions of initial values.
#include "nn/initializer.hpp"

#include <algorithm>
#include <cmath>

#include "tests/catch.hpp"

namespace awend::nn {
namespace {

struct Moments {
  double mean = 0, deviation = 0, largest = 0;
};

Moments moments_of(const std::vector<float>& values) {
  const auto count = static_cast<double>(values.size());
  Moments moments;
  for (const float value : values) {
    moments.mean += value / count;
    moments.largest = std::max(moments.largest, std::abs(double{value}));
  }
  for (const float value : values)
    moments.deviation += (value - moments.mean) * (value - moments.mean) / count;
  moments.deviation = std::sqrt(moments.deviation);
  return moments;
}

constexpr InitializerShape kShape{.rows = 300, .columns = 400, .index = 7};

Moments moments_with(Initializer initializer, RandomWeights weights) {
  return moments_of(
      initial_values(kShape, {initializer, {.weights = weights, .deviation = 0.02}}, 3));
}

// Standard deviations of the estimates from 120 000 values are below 0.3 %.
constexpr double kTolerance = 0.01;

}  // namespace

TEST_CASE("a parameter has its own distribution unless all have the same", "[initializer]") {
  const auto own = RandomWeights::kByParameter;
  const double limit = std::sqrt(6.0 / 700);
  const auto glorot = moments_with(Initializer::kGlorotUniform, own);
  CHECK(glorot.deviation == Approx(limit / std::sqrt(3)).epsilon(kTolerance));
  CHECK(glorot.largest <= limit);
  CHECK(moments_with(Initializer::kEmbedding, own).deviation == Approx(0.05).epsilon(kTolerance));
  CHECK(moments_with(Initializer::kSmallNormal, own).deviation == Approx(0.1).epsilon(kTolerance));
  CHECK(initial_values(kShape, Initializer::kEmbedding, 3) ==
        initial_values(kShape, {Initializer::kEmbedding, {.weights = own, .deviation = 9}}, 3));
}

TEST_CASE("all random values may be normal, truncated or not", "[initializer]") {
  for (const auto initializer :
       {Initializer::kGlorotUniform, Initializer::kEmbedding, Initializer::kSmallNormal}) {
    const auto normal = moments_with(initializer, RandomWeights::kNormal);
    CHECK(normal.mean == Approx(0).margin(0.02 * kTolerance));
    CHECK(normal.deviation == Approx(0.02).epsilon(kTolerance));
    CHECK(normal.largest > 0.07);  // 3.5 deviations: one in 2000
    const auto truncated = moments_with(initializer, RandomWeights::kTruncatedNormal);
    CHECK(truncated.mean == Approx(0).margin(0.02 * kTolerance));
    // √(1 − 4 φ(2) / (2 Φ(2) − 1))
    CHECK(truncated.deviation == Approx(0.02 * 0.87962566).epsilon(kTolerance));
    CHECK(truncated.largest <= 0.04);
    CHECK(truncated.largest > 0.0399);
  }
}

TEST_CASE("biases and gains are not random", "[initializer]") {
  const InitialDistribution normal{.weights = RandomWeights::kNormal, .deviation = 0.02};
  const auto zeros = initial_values(kShape, {Initializer::kZero, normal}, 3);
  CHECK(std::ranges::all_of(zeros, [](float value) { return value == 0; }));
  const auto ones = initial_values(kShape, {Initializer::kOne, normal}, 3);
  CHECK(std::ranges::all_of(ones, [](float value) { return value == 1; }));
}

}  // namespace awend::nn
