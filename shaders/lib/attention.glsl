// What both directions of attention share: a tile of T rows, one subgroup, one head.
//
// The tile's own rows (queries, or keys for gradients of keys) are in lanes: lane l of load i has
// row i · LANES + l, and a shuffle from a compile-time lane broadcasts a value.  Other rows are
// processed OTHER_ROWS at a time, KEYS_PER_LANE in a lane, so that all rows of the tile share each
// load.  The constants are those of lib/attention.h.
const uint T_LOADS = (T + LANES - 1) / LANES;
const uint OTHER_ROWS = LANES * KEYS_PER_LANE;

// The row of the tile that lane() has in load `i`; lanes after the tile repeat its last row.
uint tile_row(uint i) { return min(i * LANES + lane(), T - 1); }

// The value of row `r` of the tile.
#define OF_ROW(values, r) subgroupShuffle(values[(r) / LANES], (r) % LANES)

// scores[r][j] = Σ own[r] · other[j] over WIDTH columns of the head.
#define SCORES(scores, WIDTH, load_own, load_other) \
  [[unroll]] for (uint r = 0; r < T; ++r) { \
    [[unroll]] for (uint j = 0; j < KEYS_PER_LANE; ++j) scores[r][j] = 0; \
  } \
  for (uint i = 0; i < WIDTH / 4; ++i) { \
    vec4 own[T_LOADS]; \
    [[unroll]] for (uint t = 0; t < T_LOADS; ++t) { \
      own[t] = load_own((own_row[t] * HEADS + head) * (WIDTH / 4) + i); \
    } \
    [[unroll]] for (uint j = 0; j < KEYS_PER_LANE; ++j) { \
      const vec4 vector = load_other((other[j] * HEADS + head) * (WIDTH / 4) + i); \
      [[unroll]] for (uint r = 0; r < T; ++r) scores[r][j] += dot(OF_ROW(own, r), vector); \
    } \
  }

// sum[r][c] += Σ over other rows of weights[r][j] · other row, for the columns of this lane.
// Four other rows per iteration, so that each sum is read and written once for four of them.
#define ADD_WEIGHTED(sum, weights, WIDTH, PER_LANE, load_other) \
  [[unroll]] for (uint j = 0; j < KEYS_PER_LANE; ++j) { \
    for (uint first = 0; first < LANES && base + j * LANES + first < end; first += 4) { \
      vec4 vector[4][PER_LANE]; \
      [[unroll]] for (uint n = 0; n < 4; ++n) { \
        const uint row = min(base + j * LANES + first + n, end - 1); \
        [[unroll]] for (uint c = 0; c < PER_LANE; ++c) { \
          const uint column = min(c * LANES + lane(), WIDTH / 4 - 1); \
          vector[n][c] = load_other((row * HEADS + head) * (WIDTH / 4) + column); \
        } \
      } \
      [[unroll]] for (uint r = 0; r < T; ++r) { \
        [[unroll]] for (uint n = 0; n < 4; ++n) { \
          const float weight = subgroupShuffle(weights[r][j], first + n); \
          [[unroll]] for (uint c = 0; c < PER_LANE; ++c) sum[r][c] += weight * vector[n][c]; \
        } \
      } \
    } \
  }
