#include "interchange/foreign_weights.hpp"

#include "base/error.hpp"
#include "tests/catch.hpp"
#include "tests/foreign_files.hpp"
#include "tests/scratch.hpp"

namespace {

using namespace awend;
using namespace awend::interchange;
using namespace awend::tests;
using Floats = std::vector<float>;

const std::string kBytes = bytes_of(Floats{1, 2, 3, 4, 5, 6});

ForeignWeights sample() {
  store::StridedArrays arrays;
  arrays["w"] = {.type = store::Type::F32, .shape = {2, 3}, .strides = {}, .bytes = view(kBytes)};
  arrays["b"] = {.type = store::Type::F32, .shape = {1, 6}, .strides = {}, .bytes = view(kBytes)};
  return ForeignWeights(arrays);
}

model::WeightShape shape(std::uint32_t rows, std::uint32_t columns) {
  return {.side = "encoder", .layer = 0, .part = "self.query", .rows = rows, .columns = columns};
}

TEST_CASE("weights are read as they are, transposed, or as a part of an array") {
  auto weights = sample();
  const auto order = Location::Order::kTransposed;
  CHECK(weights.read({.name = "w"}, shape(2, 3)) == Floats{1, 2, 3, 4, 5, 6});
  CHECK(weights.read({.name = "w", .order = order}, shape(3, 2)) == Floats{1, 4, 2, 5, 3, 6});
  CHECK(weights.read({.name = "w",
                      .order = order,
                      .all_outputs = 2,
                      .output_of = [](std::uint32_t i) { return 1 - i; }},
                     shape(3, 2)) == Floats{4, 1, 5, 2, 6, 3});
  CHECK(weights.read({.name = "b"}, shape(1, 6)) == Floats{1, 2, 3, 4, 5, 6});
  CHECK(weights.read(
            {.name = "b", .all_outputs = 6, .output_of = [](std::uint32_t i) { return i + 4; }},
            shape(1, 2)) == Floats{5, 6});
  CHECK(weights.read({.name = "c", .if_missing = 1.0f}, shape(1, 2)) == Floats{1, 1});
}

TEST_CASE("missing, misshapen and unexpected arrays are named") {
  auto weights = sample();
  CHECK(message_of([&] { weights.read({.name = "c"}, shape(2, 3)); }) == "no array 'c'");
  CHECK(message_of([&] { weights.read({.name = "w"}, shape(3, 3)); }) ==
        "array 'w' is F32 [2, 3], but 'encoder.0.self.query' requires F32 [3, 3]");
  weights.values("w");
  CHECK(message_of([&] { weights.require_all_known(); }) ==
        "array 'b', F32 [1, 6], does not belong to a supported model");
  weights.ignore("b*");
  weights.require_all_known();
}

}  // namespace
