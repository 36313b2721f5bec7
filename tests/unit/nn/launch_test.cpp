// Launches built from named operands: the order of constants and bindings, and tensors that the
// kernel cannot use.  tests/lint/operands.sh checks mistakes that must not compile.
#include "nn/launch.hpp"

#include <cstring>
#include <stdexcept>

#include "shaders/op_layer_norm.h"
#include "shaders/op_narrow.h"
#include "tests/catch.hpp"

namespace awend::nn {
namespace {

constexpr Count kRows{.word = 6, .capacity = 10};

Tensor tensor(std::uint32_t id, std::uint32_t columns, Element element = Element::kFloat32) {
  return {.id = id, .rows = kRows, .columns = columns, .first_row = 0, .element = element};
}

LayerNormLaunch layer_norm_of(const Tensor& moments) {
  return {.constants = {.columns = 64, .per_lane = 2},
          .operands = {.x = tensor(1, 64),
                       .gain = tensor(2, 64),
                       .bias = tensor(3, 64),
                       .y = tensor(4, 64),
                       .moments = moments},
          .push = {.rows_count = kRows.word, .epsilon = 0.5f},
          .x = Axis::rows(kRows, 4)};
}

std::string refusal(const Launch& launch) {
  try {
    check_operands(launch);
  } catch (const std::logic_error& error) {
    const std::string message = error.what();
    return message.substr(message.find("kernel "));
  }
  return "";
}

}  // namespace

TEST_CASE("a launch has its constants, operands and push constants in order", "[launch]") {
  const Launch launch = layer_norm_of(tensor(5, 2));
  CHECK(launch.kernel == "layer_norm");
  CHECK(launch.constants == std::vector<std::uint32_t>{64, 2});
  REQUIRE(launch.operands.size() == 5);
  for (std::uint32_t i = 0; i < 5; ++i) CHECK(launch.operands[i].tensor.id == i + 1);
  CHECK(launch.operands[4].name == "moments");
  CHECK(launch.operands[0].access == OperandAccess::kRead);
  CHECK(launch.operands[4].access == OperandAccess::kWrite);
  CHECK(launch.operands[4].type == OperandType::k_vec2);
  REQUIRE(launch.push_constants.size() == 8);
  std::uint32_t word = 0;
  std::memcpy(&word, launch.push_constants.data(), 4);
  CHECK(word == kRows.word);
  float epsilon = 0;
  std::memcpy(&epsilon, launch.push_constants.data() + 4, 4);
  CHECK(epsilon == 0.5f);
  CHECK(launch.x.divisor == 4);
  CHECK(launch.y.fixed == 1);
  CHECK(refusal(launch).empty());
}

TEST_CASE("an operand with another number of columns is refused by name", "[launch]") {
  CHECK(refusal(layer_norm_of(tensor(5, 64))) ==
        "kernel layer_norm, operand moments: must have 2 columns, got 64");
}

TEST_CASE("an operand of other elements is refused by name", "[launch]") {
  const auto narrow = [](Element x, Element y) {
    return NarrowLaunch{.constants = {.columns = 8, .rows = 4, .fp16 = 0},
                        .operands = {.x = tensor(1, 8, x), .y = tensor(2, 8, y)},
                        .push = {.rows_count = kRows.word}};
  };
  CHECK(refusal(narrow(Element::kFloat32, Element::kBfloat16)).empty());
  CHECK(refusal(narrow(Element::kFloat32, Element::kFloat32)) ==
        "kernel narrow, operand y: elements must be 16-bit, got fp32");
  CHECK(refusal(narrow(Element::kFloat16, Element::kFloat16)) ==
        "kernel narrow, operand x: elements must be 32-bit, got fp16");
}

TEST_CASE("a required member takes no number of another kind", "[launch]") {
  STATIC_REQUIRE(std::is_convertible_v<std::uint32_t, Required<std::uint32_t>>);
  STATIC_REQUIRE(std::is_convertible_v<bool, Required<std::uint32_t>>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<float, Required<std::uint32_t>>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<std::uint32_t, Required<float>>);
  STATIC_REQUIRE_FALSE(std::is_default_constructible_v<Required<Tensor>>);
}

}  // namespace awend::nn
