// 16-bit numbers: conversion to fp32 and back is exact, and rounding is to nearest, ties to even.
#include "nn/element.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include "base/random.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace awend::nn {
namespace {

constexpr Element kNarrow[] = {Element::kBfloat16, Element::kFloat16};

TEST_CASE("widening and narrowing a 16-bit number is exact", "[element]") {
  for (const Element element : kNarrow) {
    for (std::uint32_t bits = 0; bits < 65536; ++bits) {
      const float wide = widen(static_cast<std::uint16_t>(bits), element);
      const std::uint16_t back = narrow(wide, element);
      if (std::isnan(wide)) {
        if (!std::isnan(widen(back, element))) FAIL("NaN became a number");
      } else if (back != bits) {
        CAPTURE(name_of(element), bits, wide, back);
        FAIL("another number");
      }
    }
  }
}

TEST_CASE("narrowing rounds to nearest, ties to even", "[element]") {
  base::Random random(5);
  for (const Element element : kNarrow) {
    // Positive finite numbers in order, up to the one before the largest.
    const std::uint32_t end = element == Element::kBfloat16 ? 0x7f7f : 0x7bff;
    for (int trial = 0; trial < 20000; ++trial) {
      const auto low = static_cast<std::uint16_t>(random.below(end));
      const auto high = static_cast<std::uint16_t>(low + 1);
      const double below = widen(low, element);
      const double above = widen(high, element);
      const double middle = (below + above) / 2;
      const auto nearest = [&](double value) { return narrow(static_cast<float>(value), element); };
      CAPTURE(name_of(element), low);
      REQUIRE(nearest(middle) == (low % 2 == 0 ? low : high));
      REQUIRE(nearest(below + (above - below) * 0.49) == low);
      REQUIRE(nearest(below + (above - below) * 0.51) == high);
      REQUIRE(nearest(-middle) == (0x8000 | (low % 2 == 0 ? low : high)));
    }
  }
}

TEST_CASE("numbers that are too large become infinite, and NaN stays NaN", "[element]") {
  CHECK(widen(narrow(65519.0f, Element::kFloat16), Element::kFloat16) == 65504.0f);
  CHECK(std::isinf(widen(narrow(65520.0f, Element::kFloat16), Element::kFloat16)));
  CHECK(std::isinf(widen(narrow(1e30f, Element::kFloat16), Element::kFloat16)));
  const float largest = std::numeric_limits<float>::max();
  CHECK(std::isinf(widen(narrow(largest, Element::kBfloat16), Element::kBfloat16)));
  for (const Element element : kNarrow) {
    CHECK(std::isnan(widen(narrow(std::bit_cast<float>(0x7f800001u), element), element)));
    CHECK(std::isinf(widen(narrow(-INFINITY, element), element)));
  }
}

TEST_CASE("precisions have names", "[element]") {
  for (const Element element : {Element::kFloat32, Element::kBfloat16, Element::kFloat16})
    CHECK(base::value_of<kElementWords>(name_of(element)) == element);
  CHECK(tests::message_of([] { base::value_of<kElementWords>("int8"); }) ==
        "must be fp32, bf16 or fp16, got 'int8'");
}

}  // namespace
}  // namespace awend::nn
