// Position encoding (Sukhbaatar et al., 2015, section 4.1): the weight of word j of J in column k
// of d, all from 1, is twice (1 − j/J) − (k/d)(1 − 2j/J): as in the program of the authors, weights
// are about 1 in the mean, which is the scale of vectors that are added to the sum.

// The weights of columns 4 · column + 1 to 4 · column + 4.
vec4 position_weights(uint j, uint words, uint column, uint columns) {
  const float share = float(j) / float(words);
  const vec4 k = vec4(4 * column) + vec4(1, 2, 3, 4);
  return 2 * (vec4(1 - share) - k / float(columns) * (1 - 2 * share));
}
