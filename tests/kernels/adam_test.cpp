// Adam on the device compared with the reference: norm, clipping, bias correction, gradients that
// are not finite.
#include "tests/kernels/bench.hpp"
#include "tests/reference/optimizer.hpp"

namespace awend::tests {
namespace {

using Buffer = nn::Parameters::Buffer;

struct Stage {
  Bench bench;
  nn::Parameter first, second;
  nn::Tensor norm;

  explicit Stage(const nn::AdamSettings& settings = {}) {
    first = bench.parameter(7, 20);
    second = bench.parameter(90, 44);
    bench.allocate();
    norm = nn::adam(bench.graph, bench.parameters, settings);
  }
};

}  // namespace

TEST_CASE("two updates of Adam equal the reference, with weight decay too") {
  const double decay = GENERATE(0.0, 0.1);
  nn::AdamSettings settings;
  settings.weight_decay.rate = decay;
  Stage stage(settings);
  Matrix x1 = noise(7, 20, 1), x2 = noise(90, 44, 2);
  reference::AdamMoments m1{std::vector<double>(x1.values.size()),
                            std::vector<double>(x1.values.size())};
  reference::AdamMoments m2{std::vector<double>(x2.values.size()),
                            std::vector<double>(x2.values.size())};
  auto& parameters = stage.bench.parameters;
  stage.bench.set(stage.first, x1);
  stage.bench.set(stage.second, x2);
  constexpr double kRate = 0.01, kClip = 0.5;
  for (std::size_t step = 1; step <= 2; ++step) {
    Matrix g1 = noise(7, 20, 10 + step), g2 = noise(90, 44, 20 + step);
    parameters.write(stage.first, reference::to_floats(g1), Buffer::kGradients);
    parameters.write(stage.second, reference::to_floats(g2), Buffer::kGradients);
    auto& scalars = stage.bench.scalars();
    scalars.learning_rate = kRate;
    scalars.clip_norm = kClip;
    scalars.moment1_correction = static_cast<float>(1 / (1 - std::pow(0.9, step)));
    scalars.moment2_correction = static_cast<float>(1 / (1 - std::pow(0.98, step)));
    if (step == 1) {
      stage.bench.run();
    } else {
      stage.bench.run_again();
    }

    std::vector<double> all = g1.values;
    all.insert(all.end(), g2.values.begin(), g2.values.end());
    const double norm = reference::global_norm(all);
    REQUIRE(std::sqrt(stage.bench.program.host<float>(stage.norm)[0]) ==
            Approx(norm).epsilon(1e-5));
    for (double& g : g1.values) g *= reference::clip_factor(norm, kClip);
    for (double& g : g2.values) g *= reference::clip_factor(norm, kClip);
    reference::adam_step({.weight_decay = decay}, step, kRate, g1.values, m1, x1.values);
    reference::adam_step({.weight_decay = decay}, step, kRate, g2.values, m2, x2.values);
    require_close(reference::from_floats(parameters.read(stage.first), 7, 20), x1);
    require_close(reference::from_floats(parameters.read(stage.second), 90, 44), x2);
    for (float g : parameters.read(stage.second, Buffer::kGradients)) REQUIRE(g == 0.0f);
  }
}

TEST_CASE("weight decay of matrices leaves out vectors") {
  Bench bench;
  const auto gain = bench.parameter(1, 20), matrix = bench.parameter(7, 20),
             bias = bench.parameter(30, 1), frozen = bench.parameter(4, 8),
             last = bench.parameter(2, 8);
  const nn::Parameter all[] = {gain, matrix, bias, frozen, last};
  bench.parameters.freeze(frozen.index);
  bench.allocate();
  constexpr double kDecay = 0.5, kRate = 0.1;
  nn::adam(bench.graph, bench.parameters,
           {.weight_decay = {.rate = kDecay, .of = nn::WeightDecayOf::kMatrices}});
  std::vector<Matrix> values;
  for (const auto& it : all) {
    values.push_back(noise(it.rows, it.columns, 30 + it.index));
    bench.set(it, values.back());
    bench.parameters.write(it, reference::to_floats(noise(it.rows, it.columns, 40 + it.index)),
                           Buffer::kGradients);
  }
  auto& scalars = bench.scalars();
  scalars.learning_rate = kRate;
  scalars.moment1_correction = static_cast<float>(1 / (1 - 0.9));
  scalars.moment2_correction = static_cast<float>(1 / (1 - 0.98));
  bench.run();
  for (const auto& it : all) {
    CAPTURE(it.index);
    auto& x = values[it.index];
    if (it.index != frozen.index) {
      const Matrix g = noise(it.rows, it.columns, 40 + it.index);
      reference::AdamMoments moments{std::vector<double>(x.values.size()),
                                     std::vector<double>(x.values.size())};
      const bool decays = it.index == matrix.index || it.index == last.index;
      reference::adam_step({.weight_decay = decays ? kDecay : 0}, 1, kRate, g.values, moments,
                           x.values);
    }
    require_close(reference::from_floats(bench.parameters.read(it), it.rows, it.columns), x);
  }
}

TEST_CASE("the moving average follows the updated parameters by its share") {
  Bench bench;
  const auto parameter = bench.parameter(37, 20);
  bench.allocate();
  const Matrix x = noise(37, 20, 1);
  bench.set(parameter, x);
  bench.parameters.keep_average();
  nn::adam(bench.graph, bench.parameters, {});
  const auto before = bench.parameters.read(parameter);
  CHECK(bench.parameters.read(parameter, Buffer::kAverage) == before);
  bench.parameters.write(parameter, reference::to_floats(noise(37, 20, 2)), Buffer::kGradients);
  auto& scalars = bench.scalars();
  scalars.learning_rate = 0.1f;
  scalars.moment1_correction = scalars.moment2_correction = 1;
  scalars.average_share = 0.25f;
  bench.run();
  const auto after = bench.parameters.read(parameter);
  const auto average = bench.parameters.read(parameter, Buffer::kAverage);
  for (std::size_t i = 0; i < after.size(); ++i) {
    REQUIRE(after[i] != before[i]);
    REQUIRE(average[i] == Approx(0.75 * before[i] + 0.25 * after[i]).margin(1e-6));
  }
  bench.parameters.swap_average();
  CHECK(bench.parameters.read(parameter) == average);
  CHECK(bench.parameters.read(parameter, Buffer::kAverage) == after);
}

TEST_CASE("frozen parameters are not updated") {
  Bench bench;
  const auto first = bench.parameter(7, 20), frozen = bench.parameter(9, 12),
             last = bench.parameter(90, 44);
  bench.parameters.freeze(frozen.index);
  bench.allocate();
  const auto norm = nn::adam(bench.graph, bench.parameters, {.weight_decay = {.rate = 0.5}});
  bench.set(frozen, noise(9, 12, 3));
  const auto before = bench.parameters.read(frozen);
  const Matrix g1 = noise(7, 20, 4), g2 = noise(90, 44, 5);
  bench.parameters.write(first, reference::to_floats(g1), Buffer::kGradients);
  bench.parameters.write(frozen, std::vector<float>(9 * 12, 1e30f), Buffer::kGradients);
  bench.parameters.write(last, reference::to_floats(g2), Buffer::kGradients);
  auto& scalars = bench.scalars();
  scalars.learning_rate = 0.1f;
  scalars.moment1_correction = scalars.moment2_correction = 1;
  bench.run();
  std::vector<double> all = g1.values;
  all.insert(all.end(), g2.values.begin(), g2.values.end());
  CHECK(std::sqrt(bench.program.host<float>(norm)[0]) ==
        Approx(reference::global_norm(all)).epsilon(1e-5));
  CHECK(bench.parameters.read(frozen) == before);
  for (const auto& trained : {first, last}) {
    for (const float value : bench.parameters.read(trained)) REQUIRE(value != 0);
  }
}

TEST_CASE("a gradient that is not finite changes nothing and is reset") {
  Stage stage;
  const Matrix x = noise(7, 20, 1);
  auto& parameters = stage.bench.parameters;
  stage.bench.set(stage.first, x);
  Matrix gradient = noise(7, 20, 2);
  gradient.values[33] = std::numeric_limits<double>::quiet_NaN();
  parameters.write(stage.first, reference::to_floats(gradient), Buffer::kGradients);
  stage.bench.scalars().learning_rate = 1;
  stage.bench.run();
  require_close(reference::from_floats(parameters.read(stage.first), 7, 20), x, 0);
  for (float m : parameters.read(stage.first, Buffer::kMoment1)) REQUIRE(m == 0.0f);
  for (float g : parameters.read(stage.first, Buffer::kGradients)) REQUIRE(g == 0.0f);
}

}  // namespace awend::tests
