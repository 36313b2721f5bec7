// Muon on the device compared with the reference: matrices of all shapes, what Adam updates,
// clipping, weight decay, gradients that are not finite or zero, operands in bf16.
#include <limits>

#include "tests/kernels/bench.hpp"
#include "tests/reference/optimizer.hpp"

namespace awend::tests {
namespace {

using Buffer = nn::Parameters::Buffer;

constexpr std::pair<std::uint32_t, std::uint32_t> kShapes[] = {
    {7, 20}, {90, 44}, {32, 32}, {3, 128}, {130, 4}};

struct Stage {
  Bench bench;
  std::vector<nn::Parameter> matrices;
  nn::Parameter table, vector;
  nn::Tensor norm;

  explicit Stage(const nn::MuonSettings& settings = {},
                 nn::Element operands = nn::Element::kFloat32) {
    for (const auto& [rows, columns] : kShapes) {
      matrices.push_back(bench.parameters.add(base::concat("m", matrices.size()), rows, columns,
                                              nn::Initializer::kGlorotUniform));
    }
    table = bench.parameters.add("table", 9, 12, nn::Initializer::kEmbedding);
    vector = bench.parameters.add("vector", 1, 20, nn::Initializer::kGlorotUniform);
    bench.allocate(operands);
    norm = nn::muon(bench.graph, bench.parameters, settings);
  }

  Matrix value(const nn::Parameter& parameter) const {
    return reference::from_floats(bench.parameters.read(parameter), parameter.rows,
                                  parameter.columns);
  }
  std::vector<nn::Parameter> all() const {
    auto all = matrices;
    all.insert(all.end(), {table, vector});
    return all;
  }
};

/// Gradients of ordinary size: those of the mean loss of a token.
Matrix gradient_of(const nn::Parameter& parameter, std::size_t step) {
  Matrix matrix = noise(parameter.rows, parameter.columns, 100 * step + parameter.index);
  for (double& value : matrix.values) value *= 1e-4;
  return matrix;
}

void require_two_updates(nn::Element operands, double tolerance) {
  CAPTURE(nn::name_of(operands));
  constexpr double kRate = 0.01, kDecay = 0.1, kMomentum = 0.9;
  Stage stage({.momentum = kMomentum, .adam = {.weight_decay = {.rate = kDecay}}}, operands);
  auto& parameters = stage.bench.parameters;
  std::vector<Matrix> x, first;
  std::vector<reference::AdamMoments> moments;
  for (const auto& it : stage.all()) {
    x.push_back(noise(it.rows, it.columns, it.index));
    first.emplace_back(it.rows, it.columns);
    moments.push_back({first.back().values, first.back().values});
    stage.bench.set(it, x.back());
  }
  for (std::size_t step = 1; step <= 2; ++step) {
    std::vector<double> together;
    for (const auto& it : stage.all()) {
      const Matrix g = gradient_of(it, step);
      together.insert(together.end(), g.values.begin(), g.values.end());
      auto doubled = reference::to_floats(g);
      for (float& value : doubled) value *= 2;
      parameters.write(it, doubled, Buffer::kGradients);
    }
    const double norm = reference::global_norm(together);
    const double clip = step == 1 ? 0 : norm / 3;  // the second gradient counts a third
    auto& scalars = stage.bench.scalars();
    scalars.learning_rate = kRate;
    scalars.clip_norm = static_cast<float>(clip);
    scalars.gradient_scale = 0.5F;  // a loss scale of 2
    scalars.moment1_correction = static_cast<float>(1 / (1 - std::pow(0.9, step)));
    scalars.moment2_correction = static_cast<float>(1 / (1 - std::pow(0.98, step)));
    if (step == 1) {
      stage.bench.run();
    } else {
      stage.bench.run_again();
    }
    REQUIRE(std::sqrt(stage.bench.program.host<float>(stage.norm)[0]) / 2 ==
            Approx(norm).epsilon(1e-5));
    const double factor = clip > 0 ? reference::clip_factor(norm, clip) : 1;
    for (const auto& it : stage.all()) {
      CAPTURE(step, it.index);
      const std::size_t i = it.index;
      Matrix g = gradient_of(it, step);
      for (double& value : g.values) value *= factor;
      if (i < stage.matrices.size()) {
        reference::muon_step({.rate = kRate, .momentum = kMomentum, .weight_decay = kDecay}, g,
                             first[i], x[i]);
        require_close(stage.value(it), x[i], tolerance);
      } else {
        reference::adam_step({.weight_decay = kDecay}, step, kRate, g.values, moments[i],
                             x[i].values);
        require_close(stage.value(it), x[i]);
      }
      for (const float value : parameters.read(it, Buffer::kGradients)) REQUIRE(value == 0.0F);
    }
  }
}

}  // namespace

TEST_CASE("two updates of Muon equal the reference, and Adam's of all but matrices") {
  require_two_updates(nn::Element::kFloat32, kFp32Tolerance);
}

TEST_CASE("Muon with operands in bf16 is near the reference") {
  if (!engine().computes(nn::Element::kBfloat16)) SKIP("no products in bf16");
  require_two_updates(nn::Element::kBfloat16, 1e-3);
}

TEST_CASE("Muon moves a matrix by singular values near one") {
  Stage stage;
  auto& scalars = stage.bench.scalars();
  scalars.learning_rate = 1;
  for (const auto& it : stage.matrices)
    stage.bench.parameters.write(it, reference::to_floats(gradient_of(it, 1)), Buffer::kGradients);
  stage.bench.run();
  for (const auto& it : stage.matrices) {
    CAPTURE(it.index);
    Matrix moved = stage.value(it);
    const double scale = 0.2 * std::sqrt(static_cast<double>(std::max(it.rows, it.columns)));
    for (double& value : moved.values) value /= scale;
    if (it.rows > it.columns) moved = reference::transpose(moved);
    // The mean of the squares of all singular values.
    const double squares = reference::global_norm(moved.values);
    const double mean = squares * squares / static_cast<double>(moved.rows);
    CHECK(mean > 0.6);
    CHECK(mean < 1.4);
  }
}

TEST_CASE("Muon changes nothing by a gradient that is not finite, and resets it") {
  Stage stage({.adam = {.weight_decay = {.rate = 0.1}}});
  auto& parameters = stage.bench.parameters;
  for (const auto& it : stage.all()) stage.bench.set(it, noise(it.rows, it.columns, it.index));
  auto gradient = reference::to_floats(gradient_of(stage.table, 1));
  gradient[33] = std::numeric_limits<float>::quiet_NaN();
  parameters.write(stage.table, gradient, Buffer::kGradients);
  const auto& first = stage.matrices.front();
  parameters.write(first, reference::to_floats(gradient_of(first, 1)), Buffer::kGradients);
  stage.bench.scalars().learning_rate = 1;
  stage.bench.run();
  for (const auto& it : stage.all()) {
    require_close(stage.value(it), noise(it.rows, it.columns, it.index), 0);
    for (const float g : parameters.read(it, Buffer::kGradients)) REQUIRE(g == 0.0F);
    for (const float m : parameters.read(it, Buffer::kMoment1)) REQUIRE(m == 0.0F);
  }
}

TEST_CASE("Muon leaves a matrix without gradient, and frozen parameters, as they are") {
  Bench bench;
  const auto matrix = [&](const char* name, std::uint32_t rows, std::uint32_t columns) {
    return bench.parameters.add(name, rows, columns, nn::Initializer::kGlorotUniform);
  };
  const auto still = matrix("still", 8, 12), frozen = matrix("frozen", 8, 12),
             moving = matrix("moving", 8, 12);
  bench.parameters.freeze(frozen.index);
  bench.allocate();
  nn::muon(bench.graph, bench.parameters, {});
  const Matrix x = noise(8, 12, 1);
  for (const auto& it : {still, frozen, moving}) bench.set(it, x);
  for (const auto& it : {frozen, moving})
    bench.parameters.write(it, reference::to_floats(noise(8, 12, 2)), Buffer::kGradients);
  bench.scalars().learning_rate = 1;
  bench.run();
  const auto read = [&](const nn::Parameter& it) {
    return reference::from_floats(bench.parameters.read(it), 8, 12);
  };
  require_close(read(still), x, 0);
  require_close(read(frozen), x, 0);
  Matrix expected = x, first(8, 12);
  reference::muon_step({.rate = 1}, noise(8, 12, 2), first, expected);
  require_close(read(moving), expected);
}

}  // namespace awend::tests
