// Distributions over a vocabulary on the CPU: the most probable tokens, samples, mixtures.
//
// Columns of logits from `vocabulary` on are padding.  The rules are those of
// shaders/op_top_k.comp, op_sample.comp and op_mixture.comp.  Test:
// tests/kernels/decoding_test.cpp, sampling_test.cpp, mixture_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "host/thread_pool.hpp"

namespace awend::host {

struct Distributions {
  std::size_t rows;
  std::size_t columns;  ///< A multiple of 4.
  std::size_t vocabulary;
  const float* logits;  ///< (rows, columns)
};

/// The k most probable tokens of each row, best first, ties by the lower id, with ln p.
struct TopK {
  Distributions distributions;
  std::size_t k;
  std::uint32_t no_token;          ///< The id of no token.
  const std::uint32_t* forced_id;  ///< (rows): the only result, or no_token.
  std::uint32_t* ids;              ///< (rows, k); no_token where there are fewer.
  float* log_probabilities;        ///< (rows, k)
};
void top_k(ThreadPool& pool, const TopK& top);

/// A random token of each row with ln p of the distribution without temperature and cuts.
struct Sample {
  Distributions distributions;
  std::size_t top_k;  ///< Of that many most probable tokens.
  float top_p;        ///< Of the fewest of them with this share of their probability.
  float inverse_temperature;
  std::uint32_t no_token;
  const std::uint32_t* forced_id;  ///< (rows): the sample, or no_token.
  const std::uint32_t* keys;       ///< (rows, 2): Philox keys.
  std::uint32_t* ids;              ///< (rows)
  float* log_probabilities;        ///< (rows)
};
void sample(ThreadPool& pool, const Sample& sample);

enum class Mixing { kLinear, kLog };

/// Adds a distribution to a mixture: ln Σ w p, or Σ w ln p.
struct Mixture {
  Distributions distributions;
  Mixing mixing;
  bool is_first;   ///< The mixture is written, not added to.
  float weight;    ///< ln w for kLinear, otherwise w.
  float* mixture;  ///< (rows, columns)
};
void mix(ThreadPool& pool, const Mixture& mixture);

}  // namespace awend::host
