// The nonlinear functions of recurrent cells.
vec4 sigmoid(vec4 z) {
  return 1 / (1 + exp(-z));
}

// The hyperbolic tangent; finite for all z.
vec4 hyperbolic(vec4 z) {
  return 2 * sigmoid(2 * z) - 1;
}
