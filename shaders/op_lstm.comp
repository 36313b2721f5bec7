// One step of LSTM cells (Hochreiter and Schmidhuber, 1997), with the formulas and the order of
// gates of PyTorch's nn.LSTM: z = input product + hidden product has the parts i, f, g, o.
//
//   FORWARD   c' = σ(f) c + σ(i) tanh(g);  h' = σ(o) tanh(c')
//   BACKWARD  gradients of z and c from those of h' and c'
//
// Row i is the sentence of rank i: sentences are sorted by length, so that those with a token at
// this step are the first rows.  table[first + i] is the row of its token in packed tensors, where
// `first` is the word after the count.  A workgroup is one row.
// Tested by tests/kernels/recurrent_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "lib/gates.glsl"
#include "op_lstm.h"

#ifdef FORWARD
DECLARE(LSTM)
#else
DECLARE(LSTM_BACKWARD)
#endif

void main() {
  const uint i = gl_WorkGroupID.x;
  if (i >= counts[pc.rows_count]) return;
  const uint row = load_table(counts[pc.rows_count + 1] + i);
  const uint width = COLUMNS / 4;
  for (uint column = lane(); column < width; column += LANES) {
    const uint own = i * width + column;
    const uint packed = row * width + column;
    const uint own_gates = i * 4 * width + column;
    const uint packed_gates = row * 4 * width + column;
#ifdef FORWARD
    vec4 z[4];
    [[unroll]] for (uint gate = 0; gate < 4; ++gate) {
      z[gate] = load_hidden(own_gates + gate * width);
      if (HAS_INPUTS != 0) z[gate] += load_gates(packed_gates + gate * width);
      if (HAS_INPUT != 0) z[gate] += load_input(own_gates + gate * width);
    }
    z[0] = sigmoid(z[0]);
    z[1] = sigmoid(z[1]);
    z[2] = hyperbolic(z[2]);
    z[3] = sigmoid(z[3]);
    const vec4 before = load_c(own);
    const vec4 c = z[1] * before + z[0] * z[2];
    const vec4 h = z[3] * hyperbolic(c);
    if (KEEP != 0) {
      [[unroll]] for (uint gate = 0; gate < 4; ++gate) {
        store_gates(packed_gates + gate * width, z[gate]);
      }
      store_h_before(packed, load_h(own));
      store_c_before(packed, before);
    }
    store_c(own, c);
    store_h(own, h);
    store_y(packed, h);
#else
    vec4 gate[4];
    [[unroll]] for (uint g = 0; g < 4; ++g) gate[g] = load_gates(packed_gates + g * width);
    const vec4 before = load_c_before(packed);
    const vec4 squashed = hyperbolic(gate[1] * before + gate[0] * gate[2]);
    vec4 dh = load_dh(own);
    if (HAS_DY != 0) dh += load_dy(packed);
    const vec4 dc = load_dc(own) + dh * gate[3] * (1 - squashed * squashed);
    vec4 dz[4];
    dz[0] = dc * gate[2] * gate[0] * (1 - gate[0]);
    dz[1] = dc * before * gate[1] * (1 - gate[1]);
    dz[2] = dc * gate[0] * (1 - gate[2] * gate[2]);
    dz[3] = dh * squashed * gate[3] * (1 - gate[3]);
    store_dc(own, dc * gate[1]);
    [[unroll]] for (uint g = 0; g < 4; ++g) {
      store_dgates(packed_gates + g * width, dz[g]);
      store_dgates_of_step(own_gates + g * width, dz[g]);
    }
#endif
  }
}
