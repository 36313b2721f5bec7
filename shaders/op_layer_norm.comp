// Layer normalization of each row (rows, COLUMNS), and its gradient for the input.
//
//   FORWARD   y = gain · (x − mean) / σ + bias with σ = √(variance + ε); stores mean and 1/σ for
//             BACKWARD
//   BACKWARD  with n = (x − mean) / σ and g = gain · dy:  dx = (g − mean(g) − n · mean(g n)) / σ
//
// The variance is computed from differences to the mean: E[x²] − E[x]² would lose precision.  A row
// is kept in registers.  Tested by tests/kernels/rows_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "op_layer_norm.h"

#ifdef FORWARD
DECLARE(LAYER_NORM)
#else
DECLARE(LAYER_NORM_BACKWARD)
#endif

// Whether a lane has registers for its parts of two rows; otherwise it reads one of them again.
const bool KEEPS_BOTH = PER_LANE <= 8;

float sum_of(vec4 v) { return v.x + v.y + v.z + v.w; }

void main() {
  const uint width = COLUMNS / 4;
  const uint end = min(counts[pc.rows_count], (gl_WorkGroupID.x + 1) * ROWS_PER_GROUP);
  for (uint row = gl_WorkGroupID.x * ROWS_PER_GROUP; row < end; ++row) {
    vec4 value[PER_LANE];
    float sum = 0;
    [[unroll]] for (uint i = 0; i < PER_LANE; ++i) {
      const uint column = i * LANES + lane();
      value[i] = load_x(row * width + min(column, width - 1));
      if (column < width) sum += sum_of(value[i]);
    }
#ifdef FORWARD
    const float mean = lanes_add(sum) / COLUMNS;
    float squares = 0;
    [[unroll]] for (uint i = 0; i < PER_LANE; ++i) {
      value[i] -= mean;
      if (i * LANES + lane() < width) squares += dot(value[i], value[i]);
    }
    const float inverse_deviation = 1.0 / sqrt(lanes_add(squares) / COLUMNS + pc.epsilon);
    [[unroll]] for (uint i = 0; i < PER_LANE; ++i) {
      const uint column = i * LANES + lane();
      if (column >= width) continue;
      const vec4 normal = value[i] * inverse_deviation;
      store_y(row * width + column, normal * load_gain(column) + load_bias(column));
    }
    if (lane() == 0) store_moments(row, vec2(mean, inverse_deviation));
#else
    const vec2 moment = load_moments(row);
    vec4 g[PER_LANE];
    float sum_g = 0;
    float sum_gn = 0;
    [[unroll]] for (uint i = 0; i < PER_LANE; ++i) {
      const uint column = min(i * LANES + lane(), width - 1);
      value[i] = (value[i] - moment.x) * moment.y;
      g[i] = load_dy(row * width + column) * load_gain(column);
      if (i * LANES + lane() < width) {
        sum_g += sum_of(g[i]);
        sum_gn += dot(g[i], value[i]);
      }
    }
    const float mean_g = lanes_add(sum_g) / COLUMNS;
    const float mean_gn = lanes_add(sum_gn) / COLUMNS;
    [[unroll]] for (uint i = 0; i < PER_LANE; ++i) {
      const uint column = i * LANES + lane();
      if (column >= width) continue;
      const uint at = row * width + column;
      const vec4 again = KEEPS_BOTH ? g[i] : load_dy(at) * load_gain(column);
      const vec4 d = moment.y * (again - mean_g - value[i] * mean_gn);
      store_dx(at, ADD != 0 ? load_dx(at) + d : d);
    }
#endif
  }
}
