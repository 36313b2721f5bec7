// Gradients of the keys and values of op_step_attention.comp, when the gradients of the scores of
// all steps are known: each is a sum over the queries of its sentence, in order and without
// atomics.
//
//   KEYS    dk += ds q, or ds v (1 − tanh²(q + k)); dv = Σ ds tanh(q + k)
//   VALUES  dvalue = Σ weight · dcontext
//
// Workgroup (key row, column group); a lane has one vec4 of columns.
// Tested by tests/kernels/step_attention_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "lib/gates.glsl"
#include "op_step_attention_keys.h"

#ifdef KEYS
DECLARE(STEP_ATTENTION_KEYS)
#else
DECLARE(STEP_ATTENTION_VALUES)
#endif

void main() {
  const uint row = gl_WorkGroupID.x;
  const uint width = COLUMNS / 4;
  const uint column = gl_WorkGroupID.y * LANES + lane();
  if (row >= counts[pc.rows_count] || column >= width) return;
  const uvec2 range = load_queries_of_key(row);
  const uint at = row * width + column;
  vec4 sum = vec4(0);
#ifdef KEYS
  const vec4 k = load_k(at);
  vec4 v = vec4(0);
  if (ADDITIVE != 0) v = load_v(column);
  vec4 dv = vec4(0);
  for (uint query = range.x; query < range.y; ++query) {
    const float gradient = load_dscores(query * STRIDE + row - load_keys_of_query(query).x);
    const vec4 q = load_queries(query * width + column);
    if (ADDITIVE != 0) {
      const vec4 t = hyperbolic(q + k);
      sum += gradient * v * (1 - t * t);
      dv += gradient * t;
    } else {
      sum += gradient * q;
    }
  }
  store_dk(at, ADD != 0 ? load_dk(at) + sum : sum);
  if (ADDITIVE != 0) store_dv(at, dv);
#else
  for (uint query = range.x; query < range.y; ++query) {
    const float weight = load_weights(query * STRIDE + row - load_keys_of_query(query).x);
    sum += weight * load_dcontexts(query * width + column);
  }
  store_dvalues(at, ADD != 0 ? load_dvalues(at) + sum : sum);
#endif
}
