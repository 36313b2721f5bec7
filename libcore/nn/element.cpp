#include "nn/element.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/error.hpp"

namespace awend::nn {
namespace {

std::uint16_t to_bfloat16(std::uint32_t bits) {
  const std::uint32_t rounded = bits + 0x7fff + (bits >> 16 & 1);
  return static_cast<std::uint16_t>(rounded >> 16);
}

/// `bits` has no sign.
std::uint32_t to_float16(std::uint32_t bits) {
  constexpr std::uint32_t kSmallestNormal = 0x38800000;  // 2^-14
  constexpr std::uint32_t kInfinity = 0x7c00;
  if (bits < kSmallestNormal) {
    // The ulp of 0.5 is 2^-24, that of subnormal fp16 numbers, so adding 0.5 rounds.
    const float shifted = std::bit_cast<float>(bits) + 0.5f;
    return std::bit_cast<std::uint32_t>(shifted) - std::bit_cast<std::uint32_t>(0.5f);
  }
  // The bias of the exponent is 15 instead of 127.
  const std::uint32_t rounded = bits - (112u << 23) + 0xfff + (bits >> 13 & 1);
  return std::min(rounded >> 13, kInfinity);
}

}  // namespace

std::uint16_t narrow(float value, Element element) {
  base::check(element != Element::kFloat32, "narrow() returns 16-bit numbers");
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 16 & 0x8000;
  if (std::isnan(value)) {
    return static_cast<std::uint16_t>(sign | (element == Element::kBfloat16 ? 0x7fc0 : 0x7e00));
  }
  if (element == Element::kBfloat16) return to_bfloat16(bits);
  return static_cast<std::uint16_t>(sign | to_float16(bits & 0x7fffffff));
}

float widen(std::uint16_t bits, Element element) {
  base::check(element != Element::kFloat32, "widen() takes 16-bit numbers");
  if (element == Element::kBfloat16) return std::bit_cast<float>(std::uint32_t{bits} << 16);
  const std::uint32_t exponent = bits >> 10 & 31;
  const std::uint32_t mantissa = bits & 0x3ff;
  const float sign = (bits & 0x8000) != 0 ? -1.0f : 1.0f;
  if (exponent == 31) return mantissa != 0 ? NAN : sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(static_cast<float>(mantissa), -24);
  return sign * std::ldexp(static_cast<float>(mantissa + 1024), static_cast<int>(exponent) - 25);
}

}  // namespace awend::nn
