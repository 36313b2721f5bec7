// Philox4x32-10: four random words from (counter, key).  The same function as libcore/base/random.
uvec4 philox(uvec4 counter, uvec2 key) {
  [[unroll]] for (uint round = 0; round < 10; ++round) {
    uint high0, low0, high1, low1;
    umulExtended(0xD2511F53u, counter.x, high0, low0);
    umulExtended(0xCD9E8D57u, counter.z, high1, low1);
    counter = uvec4(high1 ^ counter.y ^ key.x, low1, high0 ^ counter.w ^ key.y, low0);
    key += uvec2(0x9E3779B9u, 0xBB67AE85u);
  }
  return counter;
}

// Whether dropout keeps a weight of attention.  The rows of its query and key count from the first
// of the update.  Uses of dropout are independent for up to 256 heads.
bool keeps_weight(uvec2 query_and_key, uint head, uint dropout_id, uint step, uvec2 seed,
                  uint threshold) {
  return philox(uvec4(query_and_key, (dropout_id << 8) | head, step), seed).x >= threshold;
}

// Dropout factors (0 or `scale`) of the vec4 element `index` of the whole update, at one use of
// dropout.
vec4 dropout_factors(uint index, uint dropout_id, uint step, uvec2 seed, uint threshold,
                     float scale) {
  const uvec4 words = philox(uvec4(index, dropout_id, step, 0), seed);
  return mix(vec4(0), vec4(scale), greaterThanEqual(words, uvec4(threshold)));
}
