// PLUS_BIAS(distance) adds to a score its bias by the position of the key minus that of the query
// (Raffel et al., 2020); without BIASED it adds nothing.  Distances of more than MAX_DISTANCE have
// the bucket of that distance.  Requires the variable `head` and the operands bias and buckets.
//
// DISTANCE(own, other) is that of an own row of a tile and a row of the other side.  Own rows are
// queries, but keys with KEY.
#ifdef KEY
#define DISTANCE(own, other) \
  (int(counts[pc.rows_count + 1] + (own)) - int(counts[pc.other_rows_count + 1] + (other)))
#else
#define DISTANCE(own, other) \
  (int(counts[pc.other_rows_count + 1] + (other)) - int(counts[pc.rows_count + 1] + (own)))
#endif
#ifdef BIASED
float bias_of(int distance, uint head) {
  const int limit = int(MAX_DISTANCE);
  return load_bias(load_buckets(uint(clamp(distance, -limit, limit) + limit)) * HEADS + head);
}
#define PLUS_BIAS(distance) +bias_of(distance, head)
#else
#define PLUS_BIAS(distance)
#endif
