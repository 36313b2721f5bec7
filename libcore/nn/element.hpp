// Element types of tensors.  All tensors are fp32, except operands of matrix products, which may be
// rounded to 16 bits; sums are always fp32.
//
// bf16 is the upper half of an fp32 number, with the same range and 8 bits of mantissa.  fp16 has
// 11 bits of mantissa and a maximum of 65504, so training scales the loss. Test:
// tests/unit/nn/element_test.cpp.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/words.hpp"

namespace awend::nn {

enum class Element { kFloat32, kBfloat16, kFloat16 };
inline constexpr base::Word<Element> kElementWords[] = {
    {Element::kFloat32, "fp32"}, {Element::kBfloat16, "bf16"}, {Element::kFloat16, "fp16"}};

constexpr std::uint32_t size_bytes(Element element) {
  return element == Element::kFloat32 ? 4 : 2;
}

constexpr std::string_view name_of(Element element) {
  return base::word_for(kElementWords, element);
}

/// The nearest 16-bit number, ties to even, as in shaders/op_narrow.comp.  Requires: not kFloat32.
std::uint16_t narrow(float value, Element element);
/// The value of a 16-bit number.
float widen(std::uint16_t bits, Element element);

}  // namespace awend::nn
