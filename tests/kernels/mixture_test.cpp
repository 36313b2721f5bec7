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

constexpr std::size_t kRows = 3, kVocabulary = 41;

/// All tokens of each row from the most probable one on.
struct Mixed {
  std::vector<std::uint32_t> ids;
  std::vector<float> values;
};

Mixed mix(nn::Mixing mixing, const std::vector<double>& weights,
          const std::vector<Matrix>& logits) {
  Bench bench(nn::Mode::kInference);
  const auto rows = bench.program.count(kRows + 2);
  bench.set_rows(rows, kRows);
  nn::Mixture mixture(mixing, weights);
  for (const Matrix& of_model : logits) {
    Matrix padded(kRows, 44);
    for (std::size_t row = 0; row < kRows; ++row) {
      // Large values in the padding must not influence the result.
      for (std::size_t c = 0; c < 44; ++c)
        padded(row, c) = c < kVocabulary ? of_model(row, c) : 1000;
    }
    mixture.add(bench.program, {bench.given(rows, padded), kVocabulary});
  }
  const std::vector<std::uint32_t> none(kRows + 2, NO_TOKEN);
  const auto best =
      nn::top_k(bench.program, mixture.logits(), kVocabulary,
                {.forced_id = bench.given_words(rows, 1, none), .adjustments = std::nullopt});
  bench.run();
  const auto ids = bench.program.host<std::uint32_t>(best.ids);
  const auto values = bench.program.host<float>(best.log_probabilities);
  return {{ids.begin(), ids.end()}, {values.begin(), values.end()}};
}

/// Mixes random logits with the standard deviation `scale` and compares all tokens of each row.
void check_mixture(nn::Mixing mixing, const std::vector<double>& weights, double scale) {
  CAPTURE(static_cast<int>(mixing), weights, scale);
  std::vector<Matrix> logits;
  for (std::size_t model = 0; model < weights.size(); ++model) {
    logits.push_back(noise(kRows, kVocabulary, 10 + model));
    for (double& value : logits.back().values) value *= scale;
  }
  const auto [ids, values] = mix(mixing, weights, logits);
  const Matrix expected = expected_mixture(mixing, weights, logits);
  for (std::size_t at = 0; at < kRows * kVocabulary; ++at)
    REQUIRE(values[at] == Approx(expected(at / kVocabulary, ids[at])).epsilon(1e-5).margin(1e-5));
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

TEST_CASE("a model whose logits are NaN is not hidden by the others") {
  for (const auto mixing : {nn::Mixing::kLinear, nn::Mixing::kLog}) {
    for (std::size_t model = 0; model < 3; ++model) {
      CAPTURE(static_cast<int>(mixing), model);
      std::vector<Matrix> logits(3, noise(kRows, kVocabulary, 10));
      for (double& value : logits[model].values) value = std::nan("");
      for (const float value : mix(mixing, {0.2, 0.5, 0.3}, logits).values)
        REQUIRE(std::isnan(value));
    }
  }
}

}  // namespace awend::tests
