// One step of gated recurrent units (Cho et al., 2014), with the formulas and the order of gates of
// PyTorch's nn.GRU: the products x of the input and s of the state have the parts r, z, n.
//
//   FORWARD   r = σ(x_r + s_r);  z = σ(x_z + s_z);  n = tanh(x_n + r s_n);  h' = (1 − z) n + z h
//   BACKWARD  gradients of x and s, and dh' z, the part of dh that is not a product
//
// Rows are those of op_lstm.comp.  Tested by tests/kernels/recurrent_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "lib/gates.glsl"
#include "op_gru.h"

#ifdef FORWARD
DECLARE(GRU)
#else
DECLARE(GRU_BACKWARD)
#endif

void main() {
  const uint i = gl_WorkGroupID.x;
  if (i >= counts[pc.rows_count]) return;
  const uint row = load_table(counts[pc.rows_count + 1] + i);
  const uint width = COLUMNS / 4;
  for (uint column = lane(); column < width; column += LANES) {
    const uint own = i * width + column;
    const uint packed = row * width + column;
    const uint own_gates = i * 3 * width + column;
    const uint packed_gates = row * 3 * width + column;
#ifdef FORWARD
    vec4 x[3];
    [[unroll]] for (uint gate = 0; gate < 3; ++gate) {
      x[gate] = vec4(0);
      if (HAS_INPUTS != 0) x[gate] += load_gates(packed_gates + gate * width);
      if (HAS_INPUT != 0) x[gate] += load_input(own_gates + gate * width);
    }
    const vec4 s_n = load_hidden(own_gates + 2 * width);
    const vec4 r = sigmoid(x[0] + load_hidden(own_gates));
    const vec4 z = sigmoid(x[1] + load_hidden(own_gates + width));
    const vec4 n = hyperbolic(x[2] + r * s_n);
    const vec4 before = load_h(own);
    const vec4 h = (1 - z) * n + z * before;
    if (KEEP != 0) {
      store_gates(packed_gates, r);
      store_gates(packed_gates + width, z);
      store_gates(packed_gates + 2 * width, n);
      store_h_before(packed, before);
      store_candidate(packed, s_n);
    }
    store_h(own, h);
    store_y(packed, h);
#else
    const vec4 r = load_gates(packed_gates);
    const vec4 z = load_gates(packed_gates + width);
    const vec4 n = load_gates(packed_gates + 2 * width);
    vec4 dh = load_dh(own);
    if (HAS_DY != 0) dh += load_dy(packed);
    const vec4 dn = dh * (1 - z) * (1 - n * n);
    const vec4 dz = dh * (load_h_before(packed) - n) * z * (1 - z);
    const vec4 dr = dn * load_candidate(packed) * r * (1 - r);
    const vec4 of_gates[3] = {dr, dz, dn};
    const vec4 of_hidden[3] = {dr, dz, dn * r};
    [[unroll]] for (uint gate = 0; gate < 3; ++gate) {
      store_dgates(packed_gates + gate * width, of_gates[gate]);
      store_dgates_of_step(own_gates + gate * width, of_gates[gate]);
      store_dhidden(packed_gates + gate * width, of_hidden[gate]);
      store_dhidden_of_step(own_gates + gate * width, of_hidden[gate]);
    }
    store_dh(own, dh * z);
#endif
  }
}
