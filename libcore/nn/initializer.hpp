// Initial values of parameters, from a seed and the index of the parameter; the same on all
// devices.
#pragma once

#include <cstdint>
#include <vector>

namespace awend::nn {

/// The distribution of initial values.
enum class Initializer {
  kGlorotUniform,  ///< U(±√(6 / (rows + columns))), as in tensor2tensor.
  kEmbedding,      ///< N(0, columns^−½)
  kSmallNormal,    ///< N(0, 0.1), as in memory networks (Sukhbaatar et al., 2015).
  kZero,
  kOne,
};

/// The distribution of all values that are random, instead of those above: kNormal is N(0, σ²),
/// kTruncatedNormal the same without values beyond 2σ, as in the code of BERT (the values then have
/// a standard deviation of 0.88 σ).
enum class RandomWeights { kByParameter, kNormal, kTruncatedNormal };

struct InitialDistribution {
  RandomWeights weights = RandomWeights::kByParameter;
  double deviation = 0.02;  ///< σ
};

struct InitialValues {
  InitialValues(Initializer initializer_of_parameter,  // NOLINT: by its own distribution
                const InitialDistribution& all = {})
      : initializer(initializer_of_parameter), distribution(all) {}

  Initializer initializer;
  InitialDistribution distribution;
};

struct InitializerShape {
  std::uint32_t rows, columns;
  std::uint32_t index;  ///< Of the parameter among those of its model.
};

/// (rows, columns), row-major.
std::vector<float> initial_values(const InitializerShape& shape, const InitialValues& how,
                                  std::uint64_t seed);

}  // namespace awend::nn
