#include "decode/layer_mix.hpp"

#include "tests/catch.hpp"

namespace {

using awend::decode::LayerMix;
using awend::decode::mixed_vector;
using awend::decode::WeightedLayer;
using Floats = std::vector<float>;

// Two layers of three tokens with two numbers each.
const Floats kFirst = {1, 2, 3, 4, 8, 9}, kSecond = {10, 20, 30, 40, 50, 60};
const std::vector<std::uint32_t> kIds = {0, 5, 2};
const std::vector<WeightedLayer> kLayers = {{0.5f, kFirst}, {2, kSecond}};

TEST_CASE("a mean is the weighted sum of the means of layers") {
  CHECK(mixed_vector({}, kLayers, kIds) == Floats{62, 82.5f});
}

TEST_CASE("the first token may represent a text") {
  CHECK(mixed_vector({.pooling = LayerMix::Pooling::kFirst}, kLayers, kIds) == Floats{20.5f, 41});
}

TEST_CASE("padding in a text is counted, but not summed") {
  CHECK(mixed_vector({.padding = 5}, {{kLayers.front()}}, kIds) == Floats{1.5f, 11 / 6.0f});
  // The first token is not left out.
  CHECK(mixed_vector({.pooling = LayerMix::Pooling::kFirst, .padding = 0}, {{kLayers.front()}},
                     kIds) == Floats{0.5f, 1});
}

TEST_CASE("a layer is normalized over all numbers of a text") {
  const Floats values = {1, 3, 1, 3};  // mean 2, deviation 1
  const std::vector<std::uint32_t> ids = {0, 1};
  const LayerMix mix{.norm = LayerMix::Norm::kText, .padding = 1};
  CHECK(mixed_vector({.norm = LayerMix::Norm::kText}, {{{1, values}}}, ids) == Floats{-1, 1});
  CHECK(mixed_vector(mix, {{{1, values}}}, ids) == Floats{-0.5f, 0.5f});
}

}  // namespace
