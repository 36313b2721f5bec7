// Layer normalisation of each row (rows, COLUMNS), ε = 1e-6, and its gradient for the input.
//
//   FORWARD   y = gain · (x − mean) / σ + bias; mean and 1/σ are kept as (rows, 2) for BACKWARD
//   BACKWARD  with n = (x − mean) / σ and g = gain · dy:  dx = (g − mean(g) − n · mean(g n)) / σ
//
// The mean comes first and the variance from differences to it: E[x²] − E[x]² would cancel.  A row
// lives in registers. Tested by tests/kernels/layer_norm_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "op.h"

layout(constant_id = 1) const uint COLUMNS = 64;
layout(constant_id = 2) const uint PER_LANE = 2;  // ceil(COLUMNS / 4 / LANES)
layout(constant_id = 3) const uint ADD = 0;       // BACKWARD: dx is added to

layout(push_constant) uniform Push { RowsPush pc; };
layout(set = 0, binding = 1) readonly buffer X { vec4 x[]; };
layout(set = 0, binding = 2) readonly buffer Gain { vec4 gain[]; };
#ifdef FORWARD
layout(set = 0, binding = 3) readonly buffer Bias { vec4 bias[]; };
layout(set = 0, binding = 4) writeonly buffer Y { vec4 y[]; };
layout(set = 0, binding = 5) writeonly buffer Moments { vec2 moments[]; };
#else
layout(set = 0, binding = 3) readonly buffer DY { vec4 dy[]; };
layout(set = 0, binding = 4) readonly buffer Moments { vec2 moments[]; };
layout(set = 0, binding = 5) buffer DX { vec4 dx[]; };
#endif

float sum_of(vec4 v) { return v.x + v.y + v.z + v.w; }

void main() {
  const uint width = COLUMNS / 4;
  const uint end = min(counts[pc.rows_count], (gl_WorkGroupID.x + 1) * ROWS_PER_GROUP);
  for (uint row = gl_WorkGroupID.x * ROWS_PER_GROUP; row < end; ++row) {
    vec4 value[PER_LANE];
    float sum = 0;
    [[unroll]] for (uint i = 0; i < PER_LANE; ++i) {
      const uint column = i * LANES + lane();
      value[i] = x[row * width + min(column, width - 1)];
      if (column < width) sum += sum_of(value[i]);
    }
#ifdef FORWARD
    const float mean = lanes_add(sum) / COLUMNS;
    float squares = 0;
    [[unroll]] for (uint i = 0; i < PER_LANE; ++i) {
      value[i] -= mean;
      if (i * LANES + lane() < width) squares += dot(value[i], value[i]);
    }
    const float inverse_deviation = 1.0 / sqrt(lanes_add(squares) / COLUMNS + 1e-6);
    [[unroll]] for (uint i = 0; i < PER_LANE; ++i) {
      const uint column = i * LANES + lane();
      if (column >= width) continue;
      y[row * width + column] = value[i] * inverse_deviation * gain[column] + bias[column];
    }
    if (lane() == 0) moments[row] = vec2(mean, inverse_deviation);
#else
    const vec2 moment = moments[row];
    vec4 g[PER_LANE];
    float sum_g = 0;
    float sum_gn = 0;
    [[unroll]] for (uint i = 0; i < PER_LANE; ++i) {
      const uint column = min(i * LANES + lane(), width - 1);
      value[i] = (value[i] - moment.x) * moment.y;
      g[i] = dy[row * width + column] * gain[column];
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
      const vec4 d = moment.y * (g[i] - mean_g - value[i] * mean_gn);
      const uint at = row * width + column;
      dx[at] = ADD != 0 ? dx[at] + d : d;
    }
#endif
  }
}
