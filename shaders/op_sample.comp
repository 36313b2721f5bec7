// Samples one token of each row by its probability, and computes its ln p.
//
// A sample is the token with the largest z - ln E, where z are the logits divided by the
// temperature and E exponential random numbers (Gumbel's trick), so that no sum over the vocabulary
// is rounded. Tokens are ordered by falling logit, then rising id.  Only the first top_k tokens may
// be sampled, and of those only the first ones whose probability reaches the share top_p.  The cut,
// the last token that may be sampled, is found digit by digit, first its logit, then its id, so it
// is exact for any size of the nucleus.  ln p is over all tokens, without temperature and cuts.  If
// forced_id[row] is a token, it is the sample.  If all logits are minus infinity, there is no
// sample, and ln p is minus infinity.  keys[row] is the Philox key of the row. Tested by
// tests/kernels/sampling_test.cpp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lib/subgroup.glsl"
#include "lib/buffers.glsl"
#include "lib/philox.glsl"
#include "op_sample.h"

DECLARE(SAMPLE)

const float LOWEST = -3e38;
const uint WIDTH = COLUMNS / 4;
const uint VECTORS = SAMPLE_VECTORS;  // of a lane, in one iteration of a loop

// An integer for each float, in the same order.
uint rank_of(float value) {
  const uint bits = floatBitsToUint(value);
  return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}

// The last token that may be sampled.
struct Cut {
  uint rank;
  uint id;
};

bool before(uint rank, uint id, uint cut_rank, uint cut_id) {
  return rank > cut_rank || (rank == cut_rank && id < cut_id);
}

// The weight of the tokens up to `cut` that come before each of three places: their number, or
// their unnormalized probability.
vec3 weights_before(uint at, float maximum, bool by_count, Cut cut, uvec3 ranks, uvec3 places) {
  vec3 sums = vec3(0);
  for (uint first = 0; first < WIDTH; first += LANES * VECTORS) {
    [[unroll]] for (uint n = 0; n < VECTORS; ++n) {
      const uint i = first + n * LANES + lane();
      const vec4 value = load_logits(at + min(i, WIDTH - 1));
      [[unroll]] for (uint c = 0; c < 4; ++c) {
        const uint id = 4 * i + c;
        const uint rank = rank_of(value[c]);
        const bool open = id < pc.vocabulary && before(rank, id, cut.rank, cut.id + 1);
        const float weight =
            by_count ? 1.0 : exp((value[c] - maximum) * pc.inverse_temperature);
        [[unroll]] for (uint j = 0; j < 3; ++j)
          sums[j] += open && before(rank, id, ranks[j], places[j]) ? weight : 0.0;
      }
    }
  }
  return vec3(lanes_add(sums.x), lanes_add(sums.y), lanes_add(sums.z));
}

// The first cut whose weight is at least `target`.  Requires: the weight of `cut` is.
Cut tightened(uint at, float maximum, bool by_count, Cut cut, float target) {
  Cut found = Cut(0, 0);
  // The highest rank for which the weight is sufficient.
  for (int shift = 30; shift >= 0; shift -= 2) {
    const uvec3 ranks = found.rank + (uvec3(1, 2, 3) << shift);
    const vec3 weights = weights_before(at, maximum, by_count, cut, ranks - 1, uvec3(0));
    const uint sufficient = uint(weights.x >= target) + uint(weights.y >= target) +
                        uint(weights.z >= target);
    found.rank += sufficient << shift;
  }
  // Of that rank, the last id before which the weight is not sufficient.
  for (int shift = SAMPLE_ID_BITS - 2; shift >= 0; shift -= 2) {
    const uvec3 places = found.id + (uvec3(1, 2, 3) << shift);
    const vec3 weights = weights_before(at, maximum, by_count, cut, uvec3(found.rank), places);
    const uint insufficient = uint(weights.x < target) + uint(weights.y < target) +
                        uint(weights.z < target);
    found.id += insufficient << shift;
  }
  return found;
}

// An exponential random number, precise for small values.
float exponential(uint word) {
  const float v = (float(word) + 0.5) / 4294967296.0;
  return v < 1.0 / 4096 ? v + 0.5 * v * v : -log(max(1 - v, 1e-9));
}

void main() {
  const uint row = gl_WorkGroupID.x;
  if (row >= counts[pc.rows_count]) return;
  const uint at = row * WIDTH;
  float maximum = LOWEST;
  for (uint i = lane(); i < WIDTH; i += LANES) {
    const vec4 value = load_logits(at + i);
    [[unroll]] for (uint c = 0; c < 4; ++c)
      maximum = 4 * i + c < pc.vocabulary ? max(maximum, value[c]) : maximum;
  }
  maximum = lanes_max(maximum);
  float sum = 0;
  for (uint i = lane(); i < WIDTH; i += LANES) {
    const vec4 value = exp(load_logits(at + i) - maximum);
    [[unroll]] for (uint c = 0; c < 4; ++c) sum += 4 * i + c < pc.vocabulary ? value[c] : 0.0;
  }
  sum = lanes_add(sum);
  const float log_sum = log(sum);

  uint sampled = load_forced_id(row);
  if (sampled == NO_TOKEN) {
    Cut cut = Cut(0, NO_TOKEN - 1);
    if (pc.top_k < pc.vocabulary) cut = tightened(at, maximum, true, cut, float(pc.top_k));
    if (pc.top_p < 1) {
      const vec3 all = weights_before(at, maximum, false, cut, uvec3(0), uvec3(NO_TOKEN));
      cut = tightened(at, maximum, false, cut, pc.top_p * all.x);
    }
    const uvec2 key = load_keys(row);
    float best = LOWEST;
    for (uint i = lane(); i < WIDTH; i += LANES) {
      const vec4 value = load_logits(at + i);
      const uvec4 words = philox(uvec4(i, 0, 0, 0), key);
      [[unroll]] for (uint c = 0; c < 4; ++c) {
        const uint id = 4 * i + c;
        const bool open =
            id < pc.vocabulary && before(rank_of(value[c]), id, cut.rank, cut.id + 1);
        const float score =
            (value[c] - maximum) * pc.inverse_temperature - log(exponential(words[c]));
        sampled = open && score > best ? id : sampled;
        best = open ? max(best, score) : best;
      }
    }
    sampled = best == lanes_max(best) ? sampled : NO_TOKEN;
    for (uint distance = 1; distance < LANES; distance *= 2)
      sampled = min(sampled, subgroupShuffleXor(sampled, distance));
  }
  if (lane() != 0) return;
  const uint known = min(sampled, pc.vocabulary - 1);
  store_ids(row, sampled);
  const float never = uintBitsToFloat(0xff800000u);  // minus infinity
  store_log_probabilities(
      row, sum == 0 ? never : load_logits(at + known / 4)[known % 4] - maximum - log_sum);
}
