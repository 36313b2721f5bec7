// Vulkan does not promise that a comparison with NaN is false, and some drivers assume that there
// is none.  Bits of a value that was loaded are safe.

bool is_nan(float loaded) { return (floatBitsToUint(loaded) & 0x7fffffffu) > 0x7f800000u; }

bvec4 are_nan(vec4 loaded) {
  return greaterThan(floatBitsToUint(loaded) & 0x7fffffffu, uvec4(0x7f800000u));
}

bool is_finite(float loaded) { return (floatBitsToUint(loaded) & 0x7f800000u) != 0x7f800000u; }
