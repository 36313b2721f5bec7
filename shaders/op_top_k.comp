// The K most probable tokens of each row of logits with their ln p, best first, ties by lower id.
//
// Columns from pc.vocabulary on are padding.  One pass computes the maximum of each of a lane's
// BLOCKS blocks of columns, another the sum of exponentials.  Then K times: find the best of these
// maxima, and read its block again for its column and for the next best entry.  So the row is read
// completely only twice for any K, and the result does not depend on the number of lanes.  Entries
// beyond the size of the vocabulary are NO_TOKEN.  If forced_id[row] is a token, it is the only
// one. Tested by tests/kernels/decoding_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "lib/finite.glsl"
#include "op_top_k.h"

DECLARE(TOP_K)

const float LOWEST = -3e38;
const uint BLOCKS = TOP_K_BLOCKS;
// Vectors of an iteration, so that their loads overlap.  Compilers that unroll all iterations keep
// too many values.
const uint STEP = TOP_K_STEP;

bool before(float value, uint id, float other_value, uint other_id) {
  return value > other_value || (value == other_value && id < other_id);
}

void main() {
  const uint row = gl_WorkGroupID.x;
  if (row >= counts[pc.rows_count]) return;
  const uint width = COLUMNS / 4;
  const uint at = row * width;
  const uint per_step = LANES * BLOCKS * STEP;
  const uint vectors = (width + per_step - 1) / per_step * STEP;  // of a lane's block

  // The best entry of each block that is not part of the result yet.
  float best[BLOCKS];
  float maximum = LOWEST;
  [[unroll]] for (uint block = 0; block < BLOCKS; ++block) {
    best[block] = LOWEST;
    [[dont_unroll]] for (uint j = 0; j < vectors; j += STEP) {
      [[unroll]] for (uint n = 0; n < STEP; ++n) {
        const uint i = (block * vectors + j + n) * LANES + lane();
        const vec4 value = load_logits(at + min(i, width - 1));
        [[unroll]] for (uint c = 0; c < 4; ++c) {
          best[block] = 4 * i + c < pc.vocabulary ? max(best[block], value[c]) : best[block];
        }
      }
    }
    maximum = max(maximum, best[block]);
  }
  maximum = lanes_max(maximum);
  float sum = 0;
  bool has_nan = false;
  [[dont_unroll]] for (uint first = lane(); first < width; first += STEP * LANES) {
    [[unroll]] for (uint n = 0; n < STEP; ++n) {
      const uint i = first + n * LANES;
      const vec4 logit = load_logits(at + min(i, width - 1));
      const vec4 value = exp(logit - maximum);
      [[unroll]] for (uint c = 0; c < 4; ++c) {
        sum += 4 * i + c < pc.vocabulary ? value[c] : 0.0;
        has_nan = has_nan || (4 * i + c < pc.vocabulary && is_nan(logit[c]));
      }
    }
  }
  // The exponential of NaN is not NaN on every driver.
  const bool is_number = lanes_max(has_nan ? 1.0 : 0.0) == 0;
  const float log_sum = is_number ? log(lanes_add(sum)) : uintBitsToFloat(0x7fc00000u);

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
  [[dont_unroll]] for (uint k = 0; k < K; ++k) {
    float own = LOWEST;
    uint own_block = 0;
    [[unroll]] for (uint block = 0; block < BLOCKS; ++block) {
      own_block = best[block] > own ? block : own_block;
      own = max(own, best[block]);
    }
    const float value = lanes_max(own);
    // Equal values are ordered by id: the blocks of a lane have rising ids, and lanes compare
    // theirs below.
    uint own_id = NO_TOKEN;
    float rest = LOWEST;
    [[dont_unroll]] for (uint j = 0; j < vectors; j += STEP) {
      [[unroll]] for (uint n = 0; n < STEP; ++n) {
        const uint i = (own_block * vectors + j + n) * LANES + lane();
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
