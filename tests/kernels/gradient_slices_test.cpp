// Gradients are copied to the host slice by slice, and copied back before Adam reads them.
#include "nn/gradient_slices.hpp"

#include <optional>

#include "tests/kernels/bench.hpp"

namespace awend::tests {
namespace {

using Buffer = nn::Parameters::Buffer;

/// A sequence of layers, the first of which is used again at the end.
struct Layers {
  static constexpr std::size_t kRows = 20, kColumns = 12;
  static constexpr int kLayers = 5;
  Bench bench;
  std::vector<nn::Parameter> weights;
  std::optional<nn::GradientSlices> slices;

  explicit Layers(const nn::SliceSettings& settings) {
    for (int i = 0; i < kLayers; ++i) weights.push_back(bench.parameter(kColumns, kColumns));
    bench.allocate();
    for (const auto& weight : weights) bench.set(weight, noise(kColumns, kColumns, weight.index));
    const auto rows = bench.program.count(kRows);
    bench.set_rows(rows, kRows);
    auto x = bench.given(rows, noise(kRows, kColumns, 10));
    for (const auto& weight : weights) x = nn::linear(bench.graph, x, weight);
    x = nn::linear(bench.graph, x, weights[0]);
    bench.seed_gradient(x, noise(kRows, kColumns, 11));
    bench.graph.derive_backward();
    slices.emplace(bench.program, bench.parameters, settings);
    bench.run();
  }

  /// All slices, concatenated.  Waits for the last one first.
  std::vector<float> arrived() const {
    std::vector<float> all;
    for (std::size_t i = slices->size(); i-- > 0;) REQUIRE(slices->arrived(i, UINT64_MAX));
    for (std::size_t i = 0; i < slices->size(); ++i) {
      all.insert(all.end(), slices->values(i).begin(), slices->values(i).end());
    }
    return all;
  }
  std::vector<float> on_device(int layer) const {
    return bench.parameters.read(weights[static_cast<std::size_t>(layer)], Buffer::kGradients);
  }
};

/// Removes a gradient and its padding from the front of `all`, and returns whether it is
/// `expected`.
bool take(std::vector<float>& all, const std::vector<float>& expected) {
  const std::size_t padded = (expected.size() + 127) / 128 * 128;
  REQUIRE(all.size() >= padded);
  const bool same = std::equal(expected.begin(), expected.end(), all.begin());
  all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(padded));
  return same;
}

}  // namespace

TEST_CASE("slices arrive from the last layer to the first, each when it is final", "[slices]") {
  Layers layers({.max_slices = 100, .min_floats = 1});
  // Each run of the program adds to the gradients; this is the second.
  layers.slices->replay();
  REQUIRE(layers.slices->size() == Layers::kLayers);
  auto all = layers.arrived();
  REQUIRE(std::ranges::any_of(all, [](float value) { return value != 0; }));
  // The first layer is used twice, so its gradient is final last.
  for (int layer = Layers::kLayers - 1; layer >= 0; --layer) {
    CAPTURE(layer);
    REQUIRE(take(all, layers.on_device(layer)));
  }
  REQUIRE(all.empty());
}

TEST_CASE("small gradients share a slice, in the order of the flat buffer", "[slices]") {
  // A gradient takes 256 floats with its padding.
  Layers layers({.max_slices = 2, .min_floats = 300});
  layers.slices->replay();
  REQUIRE(layers.slices->size() == 2);
  auto all = layers.arrived();
  for (const int layer : {2, 3, 4, 0, 1}) REQUIRE(take(all, layers.on_device(layer)));

  Layers whole({.max_slices = 8, .min_floats = 4096});
  REQUIRE(whole.slices->size() == 1);
}

TEST_CASE("gradients are copied back before later work", "[slices]") {
  Layers layers({.max_slices = 3, .min_floats = 1});
  layers.slices->fetch();
  const auto before = layers.arrived();
  for (std::size_t i = 0; i < layers.slices->size(); ++i) {
    for (float& value : layers.slices->values(i)) value = 2 * value + 1;
    layers.slices->put_back(i);
  }
  layers.slices->fetch();
  const auto after = layers.arrived();
  for (std::size_t i = 0; i < before.size(); ++i) REQUIRE(after[i] == 2 * before[i] + 1);
  REQUIRE(layers.on_device(3)[0] == after[0]);  // the first slice holds layers 3 and 4
}

}  // namespace awend::tests
