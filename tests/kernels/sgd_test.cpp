// Stochastic gradient descent on the device compared with the reference: norm, clipping, weight
// decay, gradients that are not finite.
#include "tests/kernels/bench.hpp"
#include "tests/reference/optimizer.hpp"

namespace awend::tests {
namespace {

using Buffer = nn::Parameters::Buffer;

struct Stage {
  Bench bench;
  nn::Parameter first, second;
  nn::Tensor norm;

  explicit Stage(double weight_decay) {
    first = bench.parameter(7, 20);
    second = bench.parameter(90, 44);
    bench.allocate();
    norm = nn::sgd(bench.graph, bench.parameters, {.rate = weight_decay});
  }
};

}  // namespace

TEST_CASE("an update of gradient descent equals the reference, clipped or not") {
  constexpr double kRate = 0.3;
  for (const double clip : {0.0, 0.5, 1e6}) {
    for (const double decay : {0.0, 0.1}) {
      CAPTURE(clip, decay);
      Stage stage(decay);
      Matrix x1 = noise(7, 20, 1), x2 = noise(90, 44, 2);
      const Matrix g1 = noise(7, 20, 3), g2 = noise(90, 44, 4);
      auto& parameters = stage.bench.parameters;
      stage.bench.set(stage.first, x1);
      stage.bench.set(stage.second, x2);
      auto doubled = [](const Matrix& gradient) {
        auto floats = reference::to_floats(gradient);
        for (float& value : floats) value *= 2;
        return floats;
      };
      parameters.write(stage.first, doubled(g1), Buffer::kGradients);
      parameters.write(stage.second, doubled(g2), Buffer::kGradients);
      auto& scalars = stage.bench.scalars();
      scalars.learning_rate = kRate;
      scalars.clip_norm = static_cast<float>(clip);
      scalars.gradient_scale = 0.5F;  // a loss scale of 2
      stage.bench.run();

      std::vector<double> all = g1.values;
      all.insert(all.end(), g2.values.begin(), g2.values.end());
      const double norm = reference::global_norm(all);
      REQUIRE(std::sqrt(stage.bench.program.host<float>(stage.norm)[0]) / 2 ==
              Approx(norm).epsilon(1e-5));
      const double factor = clip > 0 ? reference::clip_factor(norm, clip) : 1;
      reference::sgd_step(kRate, decay, factor, g1.values, x1.values);
      reference::sgd_step(kRate, decay, factor, g2.values, x2.values);
      require_close(reference::from_floats(parameters.read(stage.first), 7, 20), x1);
      require_close(reference::from_floats(parameters.read(stage.second), 90, 44), x2);
      for (const auto& parameter : {stage.first, stage.second}) {
        for (const float g : parameters.read(parameter, Buffer::kGradients)) REQUIRE(g == 0.0F);
      }
    }
  }
}

TEST_CASE("gradient descent with decay of matrices leaves out vectors") {
  Bench bench;
  const auto gain = bench.parameter(1, 20), matrix = bench.parameter(7, 20);
  bench.allocate();
  nn::sgd(bench.graph, bench.parameters, {.rate = 0.5, .of = nn::WeightDecayOf::kMatrices});
  const Matrix x1 = noise(1, 20, 1), g1 = noise(1, 20, 2);
  Matrix x2 = noise(7, 20, 3), g2 = noise(7, 20, 4), expected = x1;
  bench.set(gain, x1);
  bench.set(matrix, x2);
  bench.parameters.write(gain, reference::to_floats(g1), Buffer::kGradients);
  bench.parameters.write(matrix, reference::to_floats(g2), Buffer::kGradients);
  constexpr double kRate = 0.3;
  bench.scalars().learning_rate = kRate;
  bench.run();
  reference::sgd_step(kRate, 0, 1, g1.values, expected.values);
  reference::sgd_step(kRate, 0.5, 1, g2.values, x2.values);
  require_close(reference::from_floats(bench.parameters.read(gain), 1, 20), expected);
  require_close(reference::from_floats(bench.parameters.read(matrix), 7, 20), x2);
}

TEST_CASE("gradient descent changes nothing by a gradient that is not finite, and resets it") {
  Stage stage(0.1);
  const Matrix x = noise(7, 20, 1);
  auto& parameters = stage.bench.parameters;
  stage.bench.set(stage.first, x);
  Matrix gradient = noise(7, 20, 2);
  gradient.values[33] = std::numeric_limits<double>::quiet_NaN();
  parameters.write(stage.first, reference::to_floats(gradient), Buffer::kGradients);
  stage.bench.scalars().learning_rate = 1;
  stage.bench.run();
  require_close(reference::from_floats(parameters.read(stage.first), 7, 20), x, 0);
  for (const float g : parameters.read(stage.first, Buffer::kGradients)) REQUIRE(g == 0.0F);
}

}  // namespace awend::tests
