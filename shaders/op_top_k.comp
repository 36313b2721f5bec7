// The K most probable tokens of each row of logits, with ln p, best first, ties to the lower id.
//
// logits (rows, COLUMNS), ids (rows, K), log_probabilities (rows, K).  Columns from pc.vocabulary
// on are padding.  One pass finds the maximum of each of a lane's BLOCKS blocks of columns, one the
// sum of exponentials.  Then K times: the best of these maxima, its block read once more for where
// it stands and for what is best behind it.  So the whole row is read twice whatever K is, and the
// answer does not depend on the number of lanes.  Entries beyond the vocabulary are NO_TOKEN.
// Where forced_id[row] is a token, the row has only that one.
// Tested by tests/kernels/decoding_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "op.h"

layout(constant_id = 1) const uint COLUMNS = 64;
layout(constant_id = 2) const uint K = 8;
PUSH(TopKPush, 5)
READS(uint, 1, forced_id)
READS(vec4, 2, logits)
WRITES(uint, 3, ids)
WRITES(float, 4, log_probabilities)

const float LOWEST = -3e38;
const uint BLOCKS = TOP_K_BLOCKS;

bool before(float value, uint id, float other_value, uint other_id) {
  return value > other_value || (value == other_value && id < other_id);
}

void main() {
  const uint row = gl_WorkGroupID.x;
  if (row >= counts[pc.rows_count]) return;
  const uint width = COLUMNS / 4;
  const uint at = row * width;
  const uint vectors = (width + LANES * BLOCKS - 1) / (LANES * BLOCKS);  // of a lane's block

  // The best entry of each block that was not given out yet.
  float best[BLOCKS];
  float maximum = LOWEST;
  [[unroll]] for (uint block = 0; block < BLOCKS; ++block) {
    best[block] = LOWEST;
    for (uint j = 0; j < vectors; ++j) {
      const uint i = (block * vectors + j) * LANES + lane();
      const vec4 value = load_logits(at + min(i, width - 1));
      [[unroll]] for (uint c = 0; c < 4; ++c) {
        best[block] = 4 * i + c < pc.vocabulary ? max(best[block], value[c]) : best[block];
      }
    }
    maximum = max(maximum, best[block]);
  }
  maximum = lanes_max(maximum);
  float sum = 0;
  for (uint i = lane(); i < width; i += LANES) {
    const vec4 value = exp(load_logits(at + i) - maximum);
    [[unroll]] for (uint c = 0; c < 4; ++c) sum += 4 * i + c < pc.vocabulary ? value[c] : 0.0;
  }
  const float log_sum = log(lanes_add(sum));

  const uint forced_id = load_forced_id(row);
  if (forced_id != NO_TOKEN) {
    const float value = load_logits(at + forced_id / 4)[forced_id % 4];
    for (uint k = lane(); k < K; k += LANES) {
      store_ids(row * K + k, k == 0 ? forced_id : NO_TOKEN);
      store_log_probabilities(row * K + k, value - maximum - log_sum);
    }
    return;
  }
  float last_value = 3e38;
  uint last_id = 0;
  for (uint k = 0; k < K; ++k) {
    float own = LOWEST;
    uint own_block = 0;
    [[unroll]] for (uint block = 0; block < BLOCKS; ++block) {
      own_block = best[block] > own ? block : own_block;
      own = max(own, best[block]);
    }
    const float value = lanes_max(own);
    // Equal values go by id: a lane's blocks hold rising ids, and lanes compare theirs below.
    uint own_id = NO_TOKEN;
    float rest = LOWEST;
    for (uint j = 0; j < vectors; ++j) {
      const uint i = (own_block * vectors + j) * LANES + lane();
      const vec4 candidate = load_logits(at + min(i, width - 1));
      [[unroll]] for (uint c = 0; c < 4; ++c) {
        const uint column = 4 * i + c;
        const bool open =
            column < pc.vocabulary && before(last_value, last_id, candidate[c], column);
        const bool found =
            open && own_id == NO_TOKEN && candidate[c] == value && value > LOWEST;
        own_id = found ? column : own_id;
        rest = open && !found ? max(rest, candidate[c]) : rest;
      }
    }
    uint id = own_id;
    for (uint distance = 1; distance < LANES; distance *= 2)
      id = min(id, subgroupShuffleXor(id, distance));
    [[unroll]] for (uint block = 0; block < BLOCKS; ++block) {
      best[block] = id == own_id && id != NO_TOKEN && block == own_block ? rest : best[block];
    }
    if (lane() == 0) {
      store_ids(row * K + k, id);
      store_log_probabilities(row * K + k, value - maximum - log_sum);
    }
    last_value = value;
    last_id = id;
  }
}
