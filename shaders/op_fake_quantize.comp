// Rounds numbers as 8-bit products round their operands, and keeps them as fp32 (rows, COLUMNS):
//
//   ALL          y = limited(x · SCALE) / SCALE, as left operands with a fixed scale
//   BY_ROWS      y = limited(x / s) · s with s = 1/127 of the largest magnitude in the row, as the
//                matrices of quantized checkpoints (store/weights.hpp)
//   BY_COLUMNS   y = limited(x · 127/m) · m/127 with the largest magnitude m in the column, as
//                right operands (host/int8_product.hpp)
//   MAGNITUDES   y = the largest magnitude in each row, by which scales are chosen
//
// limited() is the nearest integer in [-127, 127].  A subgroup has ROWS_PER_GROUP rows, and for
// BY_COLUMNS, one vec4 of columns.  Tested by tests/kernels/fake_quantize_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "op_fake_quantize.h"

#ifdef ALL
DECLARE(FAKE_QUANTIZE)
#elif defined(BY_ROWS)
DECLARE(FAKE_QUANTIZE_ROWS)
#elif defined(BY_COLUMNS)
DECLARE(FAKE_QUANTIZE_COLUMNS)
#else
DECLARE(ROW_MAGNITUDES)
#endif

vec4 limited(vec4 x) { return clamp(roundEven(x), -127.0, 127.0); }

#if defined(BY_ROWS) || defined(MAGNITUDES)
float magnitude_of_row(uint row) {
  const uint width = COLUMNS / 4;
  vec4 largest = vec4(0);
  for (uint i = lane(); i < width; i += LANES) largest = max(largest, abs(load_x(row * width + i)));
  return lanes_max(max(max(largest.x, largest.y), max(largest.z, largest.w)));
}
#endif

void main() {
  const uint width = COLUMNS / 4;
  const uint rows = counts[pc.rows_count];
#ifdef BY_COLUMNS
  const uint column = gl_WorkGroupID.x;
  vec4 own = vec4(0);
  for (uint row = lane(); row < rows; row += LANES) {
    own = max(own, abs(load_x(row * width + column)));
  }
  const vec4 largest = vec4(lanes_max(own.x), lanes_max(own.y), lanes_max(own.z), lanes_max(own.w));
  const bvec4 is_positive = greaterThan(largest, vec4(0));
  const vec4 factor = mix(vec4(0), 127.0 / mix(vec4(1), largest, is_positive), is_positive);
  for (uint row = lane(); row < rows; row += LANES) {
    const uint at = row * width + column;
    store_y(at, limited(load_x(at) * factor) * (largest / 127.0));
  }
#else
  const uint begin = gl_WorkGroupID.x * ROWS_PER_GROUP;
  const uint end = min(rows, begin + ROWS_PER_GROUP);
#ifdef ALL
  const float step = 1.0 / pc.scale;
  for (uint i = begin * width + lane(); i < end * width; i += LANES) {
    store_y(i, limited(load_x(i) * pc.scale) * step);
  }
#else
  for (uint row = begin; row < end; ++row) {
    const float largest = magnitude_of_row(row);
#ifdef MAGNITUDES
    if (lane() == 0) store_y(row, largest);
#else
    const float step = largest > 0 ? largest / 127.0 : 1.0;
    for (uint i = row * width + lane(); i < (row + 1) * width; i += LANES) {
      store_y(i, limited(load_x(i) / step) * step);
    }
#endif
  }
#endif
#endif
}
