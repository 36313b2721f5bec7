#include "decode/layer_mix.hpp"

#include <algorithm>
#include <cmath>

namespace awend::decode {
namespace {

// Added to the variance.
constexpr double kEpsilon = 1e-12;

struct Moments {
  double mean = 0, deviation = 1;
};

Moments moments_of(std::span<const float> values) {
  const auto count = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const float value : values) sum += value;
  const auto mean = sum / count;
  for (const float value : values) squares += (value - mean) * (value - mean);
  return {mean, std::sqrt(squares / count + kEpsilon)};
}

}  // namespace

std::vector<float> mixed_vector(const LayerMix& mix, std::span<const WeightedLayer> layers,
                                std::span<const std::uint32_t> ids) {
  const auto columns = layers.front().values.size() / ids.size();
  const bool is_mean = mix.pooling == LayerMix::Pooling::kMean;
  const std::size_t tokens = is_mean ? ids.size() : 1;
  std::vector<double> vector(columns), sums(columns);
  for (const auto& [weight, values] : layers) {
    const auto moments = mix.norm == LayerMix::Norm::kText ? moments_of(values) : Moments{};
    std::ranges::fill(sums, 0);
    std::size_t summed = 0;
    for (std::size_t token = 0; token < tokens; ++token) {
      if (is_mean && ids[token] == mix.padding) continue;
      ++summed;
      for (std::size_t i = 0; i < columns; ++i) sums[i] += values[token * columns + i];
    }
    const auto shift = moments.mean * static_cast<double>(summed);
    const auto scale = weight / (moments.deviation * static_cast<double>(tokens));
    for (std::size_t i = 0; i < columns; ++i) vector[i] += scale * (sums[i] - shift);
  }
  return {vector.begin(), vector.end()};
}

}  // namespace awend::decode
