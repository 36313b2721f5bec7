// The mixture of the distributions of several models compared with a computation in double
// precision.
#include "nn/mixture.hpp"

#include "tests/kernels/bench.hpp"
#include "tests/reference/loss.hpp"

namespace awend::tests {
namespace {

/// ln of the normalized mixture.
Matrix expected_mixture(nn::Mixing mixing, const std::vector<double>& weights,
                        const std::vector<Matrix>& logits) {
  Matrix sum(logits[0].rows, logits[0].columns);
  for (std::size_t model = 0; model < logits.size(); ++model) {
    const Matrix log_p = reference::log_softmax(logits[model]);
    for (std::size_t i = 0; i < sum.values.size(); ++i) {
      const double value = log_p.values[i];
      sum.values[i] += weights[model] * (mixing == nn::Mixing::kLinear ? std::exp(value) : value);
    }
  }
  if (mixing == nn::Mixing::kLinear) {
    for (double& value : sum.values) value = std::log(value);
  }
  return reference::log_softmax(sum);
}

/// Mixes random logits with the standard deviation `scale` and compares all tokens of each row.
void check_mixture(nn::Mixing mixing, const std::vector<double>& weights, double scale) {
  constexpr std::size_t kRows = 3, kVocabulary = 41;
  CAPTURE(static_cast<int>(mixing), weights, scale);
  Bench bench(nn::Mode::kInference);
  const auto rows = bench.program.count(kRows + 2);
  bench.set_rows(rows, kRows);
  nn::Mixture mixture(mixing, weights);
  std::vector<Matrix> all;
  for (std::size_t model = 0; model < weights.size(); ++model) {
    Matrix logits = noise(kRows, kVocabulary, 10 + model), padded(kRows, 44);
    for (double& value : logits.values) value *= scale;
    for (std::size_t row = 0; row < kRows; ++row) {
      // Large values in the padding must not influence the result.
      for (std::size_t c = 0; c < 44; ++c) padded(row, c) = c < kVocabulary ? logits(row, c) : 1000;
    }
    mixture.add(bench.program, {bench.given(rows, padded), kVocabulary});
    all.push_back(logits);
  }
  const std::vector<std::uint32_t> none(kRows + 2, NO_TOKEN);
  const auto best =
      nn::top_k(bench.program, mixture.logits(), kVocabulary,
                {.forced_id = bench.given_words(rows, 1, none), .adjustments = std::nullopt});
  bench.run();
  const Matrix expected = expected_mixture(mixing, weights, all);
  const auto ids = bench.program.host<std::uint32_t>(best.ids);
  const auto values = bench.program.host<float>(best.log_probabilities);
  for (std::size_t row = 0; row < kRows; ++row) {
    for (std::size_t place = 0; place < kVocabulary; ++place) {
      const std::size_t at = row * kVocabulary + place;
      REQUIRE(values[at] == Approx(expected(row, ids[at])).epsilon(1e-5).margin(1e-5));
    }
  }
}

}  // namespace

TEST_CASE("mixtures of models equal the reference") {
  for (const auto mixing : {nn::Mixing::kLinear, nn::Mixing::kLog}) {
    check_mixture(mixing, {1}, 4);
    check_mixture(mixing, {0.5, 0.5}, 4);
    check_mixture(mixing, {0.2, 0.5, 0.3}, 4);
    check_mixture(mixing, {1, 0}, 4);
    check_mixture(mixing, {0, 1}, 4);
    check_mixture(mixing, {0.25, 0.75}, 60);  // probabilities that underflow in fp32
  }
}

}  // namespace awend::tests
