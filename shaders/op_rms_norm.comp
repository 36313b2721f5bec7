// RMS normalization of each row (rows, COLUMNS) (Zhang and Sennrich, 2019), and its gradient for
// the input.
//
//   FORWARD   y = gain · x / r with r = √(mean(x²) + ε); stores 1/r for BACKWARD
//   BACKWARD  with n = x / r and g = gain · dy:  dx = (g − n · mean(g n)) / r
//
// The gradient of the gain is that of layer normalization with the mean 0 (op_column_sum.comp), so
// the moments have the same form.  Tested by tests/kernels/rows_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "op_rms_norm.h"

#ifdef FORWARD
DECLARE(RMS_NORM)
#else
DECLARE(RMS_NORM_BACKWARD)
#endif

// Whether a lane has registers for its parts of two rows; otherwise it reads one of them again.
const bool KEEPS_BOTH = PER_LANE <= 8;

void main() {
  const uint width = COLUMNS / 4;
  const uint end = min(counts[pc.rows_count], (gl_WorkGroupID.x + 1) * ROWS_PER_GROUP);
  for (uint row = gl_WorkGroupID.x * ROWS_PER_GROUP; row < end; ++row) {
    vec4 value[PER_LANE];
    float sum = 0;
#ifdef FORWARD
    [[unroll]] for (uint i = 0; i < PER_LANE; ++i) {
      const uint column = i * LANES + lane();
      value[i] = load_x(row * width + min(column, width - 1));
      if (column < width) sum += dot(value[i], value[i]);
    }
    const float inverse = 1.0 / sqrt(lanes_add(sum) / COLUMNS + pc.epsilon);
    [[unroll]] for (uint i = 0; i < PER_LANE; ++i) {
      const uint column = i * LANES + lane();
      if (column < width) store_y(row * width + column, value[i] * inverse * load_gain(column));
    }
    if (lane() == 0) store_moments(row, vec2(0, inverse));
#else
    const float inverse = load_moments(row).y;
    vec4 g[PER_LANE];
    [[unroll]] for (uint i = 0; i < PER_LANE; ++i) {
      const uint column = min(i * LANES + lane(), width - 1);
      value[i] = load_x(row * width + column) * inverse;
      g[i] = load_dy(row * width + column) * load_gain(column);
      if (i * LANES + lane() < width) sum += dot(g[i], value[i]);
    }
    const float mean = lanes_add(sum) / COLUMNS;
    [[unroll]] for (uint i = 0; i < PER_LANE; ++i) {
      const uint column = i * LANES + lane();
      if (column >= width) continue;
      const uint at = row * width + column;
      const vec4 again = KEEPS_BOTH ? g[i] : load_dy(at) * load_gain(column);
      const vec4 d = inverse * (again - value[i] * mean);
      store_dx(at, ADD != 0 ? load_dx(at) + d : d);
    }
#endif
  }
}
