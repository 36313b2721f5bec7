// 16-bit numbers, two in a word, as integers: portable, because lavapipe cannot compile fp16 types
// on every CPU.  `fp16` selects fp16 or bf16.  The same functions as libcore/nn/element.cpp, tested
// against them by tests/kernels/narrow_test.cpp.  After lib/finite.glsl.

// Bits of the nearest 16-bit numbers, ties to even.
uvec4 narrowed(vec4 value, bool fp16) {
  const uvec4 bits = floatBitsToUint(value);
  const uvec4 sign = (bits >> 16) & 0x8000u;
  if (!fp16) {
    const uvec4 rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
    return mix(rounded, sign | 0x7fc0u, are_nan(value));
  }
  const uvec4 magnitude = bits & 0x7fffffffu;
  // The ulp of 0.5 is 2^-24, that of subnormal fp16 numbers, so adding 0.5 rounds.
  const uvec4 small = floatBitsToUint(uintBitsToFloat(magnitude) + 0.5) - floatBitsToUint(0.5);
  const uvec4 rounded = magnitude - (112u << 23) + 0xfffu + ((magnitude >> 13) & 1u);
  const uvec4 large = min(rounded >> 13, uvec4(0x7c00u));
  const uvec4 number = mix(large, small, lessThan(magnitude, uvec4(0x38800000u)));
  return sign | mix(number, uvec4(0x7e00u), are_nan(value));
}

uvec2 packed(uvec4 bits) { return uvec2(bits.x | bits.y << 16, bits.z | bits.w << 16); }

vec4 widened(uvec2 words, bool fp16) {
  if (fp16) return vec4(unpackHalf2x16(words.x), unpackHalf2x16(words.y));
  return uintBitsToFloat(
      uvec4(words.x << 16, words.x & 0xffff0000u, words.y << 16, words.y & 0xffff0000u));
}
