// Where local attention looks, in keys from the first one (Luong et al., 2015, predictive):
//
//   FORWARD   p = S σ(vᵀ tanh(z)) for the S keys of a row
//   BACKWARD  dz = da v (1 − tanh²(z)) and dv = da tanh(z), where da = dp p (1 − p / S)
//
// Row i is the sentence of rank i, as in op_step_attention.comp.  A workgroup is one row.
// Tested by tests/kernels/step_attention_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "lib/gates.glsl"
#include "op_attention_center.h"

#ifdef FORWARD
DECLARE(ATTENTION_CENTER)
#else
DECLARE(ATTENTION_CENTER_BACKWARD)
#endif

void main() {
  const uint i = gl_WorkGroupID.x;
  if (i >= counts[pc.rows_count]) return;
  const uint row = load_table(counts[pc.rows_count + 1] + i);
  const uvec2 range = load_ranges(row);
  const float keys = float(range.y - range.x);
  const uint width = COLUMNS / 4;
#ifdef FORWARD
  float sum = 0;
  for (uint column = lane(); column < width; column += LANES) {
    const vec4 z = load_z(i * width + column);
    sum += dot(load_v(column), hyperbolic(z));
    if (KEEP != 0) store_products(row * width + column, z);
  }
  sum = lanes_add(sum);
  if (lane() == 0) store_centers(row, keys / (1 + exp(-sum)));
#else
  const float center = load_centers(row);
  const float da = load_dcenters(row) * center * (1 - center / max(keys, 1.0));
  for (uint column = lane(); column < width; column += LANES) {
    const vec4 t = hyperbolic(load_products(row * width + column));
    const vec4 dz = da * load_v(column) * (1 - t * t);
    store_dz(i * width + column, dz);
    store_dproducts(row * width + column, dz);
    store_dv(row * width + column, da * t);
  }
#endif
}
