// The K most probable tokens of each row of logits, with ln p, best first, ties to the lower id.
//
// logits (rows, COLUMNS), ids (rows, K), log_probabilities (rows, K).  Columns from pc.vocabulary
// on are padding.  One pass finds the maximum, one the sum of exponentials, then K passes each find
// the best entry behind the one before: nothing is sorted or stored, and the answer does not depend
// on the number of lanes.  Entries beyond the vocabulary are NO_TOKEN. Tested by
// tests/kernels/decoding_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "op.h"

layout(constant_id = 1) const uint COLUMNS = 64;
layout(constant_id = 2) const uint K = 8;
PUSH(TopKPush, 4)
READS(vec4, 1, logits)
WRITES(uint, 2, ids)
WRITES(float, 3, log_probabilities)

const float LOWEST = -3e38;

bool before(float value, uint id, float other_value, uint other_id) {
  return value > other_value || (value == other_value && id < other_id);
}

void main() {
  const uint row = gl_WorkGroupID.x;
  if (row >= counts[pc.rows_count]) return;
  const uint width = COLUMNS / 4;
  const uint at = row * width;

  float best = LOWEST;
  for (uint i = lane(); i < width; i += LANES) {
    const vec4 value = load_logits(at + i);
    [[unroll]] for (uint c = 0; c < 4; ++c) {
      best = 4 * i + c < pc.vocabulary ? max(best, value[c]) : best;
    }
  }
  const float maximum = lanes_max(best);
  float sum = 0;
  for (uint i = lane(); i < width; i += LANES) {
    const vec4 value = exp(load_logits(at + i) - maximum);
    [[unroll]] for (uint c = 0; c < 4; ++c) sum += 4 * i + c < pc.vocabulary ? value[c] : 0.0;
  }
  const float log_sum = log(lanes_add(sum));

  float last_value = 3e38;
  uint last_id = 0;
  for (uint k = 0; k < K; ++k) {
    float value = LOWEST;
    uint id = NO_TOKEN;
    for (uint i = lane(); i < width; i += LANES) {
      const vec4 candidate = load_logits(at + i);
      [[unroll]] for (uint c = 0; c < 4; ++c) {
        const uint column = 4 * i + c;
        const bool open =
            column < pc.vocabulary && before(last_value, last_id, candidate[c], column);
        const bool better = open && candidate[c] > value;
        id = better ? column : id;
        value = better ? candidate[c] : value;
      }
    }
    for (uint distance = 1; distance < LANES; distance *= 2) {
      const float other_value = subgroupShuffleXor(value, distance);
      const uint other_id = subgroupShuffleXor(id, distance);
      const bool better = before(other_value, other_id, value, id);
      value = better ? other_value : value;
      id = better ? other_id : id;
    }
    if (lane() == 0) {
      store_ids(row * K + k, id);
      store_log_probabilities(row * K + k, value - maximum - log_sum);
    }
    last_value = value;
    last_id = id;
  }
}
