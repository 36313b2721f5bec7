// Activation functions and their derivatives; the specialization constant FUNCTION selects one by a
// number of lib/activations.h.
//
// GELU (Hendrycks and Gimpel, 2016): z Φ(z), with the error function to 1.5e-7 (Abramowitz and
// Stegun, 7.1.26), or with its approximations by a hyperbolic tangent, as a sigmoid of twice the
// argument, and by a sigmoid.  Swish (Ramachandran et al., 2017), also called SiLU: z σ(z).
// Sigmoid: σ(z).  Hyperbolic tangent: 2 σ(2z) − 1.

vec4 sigmoid(vec4 z) {
  return 1 / (1 + exp(-z));
}

// Φ, the cumulative normal distribution.
vec4 normal_share(vec4 z) {
  const vec4 x = abs(z) * 0.70710678118654752;
  const vec4 t = 1 / (1 + 0.3275911 * x);
  const vec4 tail =
      t * (0.254829592 +
           t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))) *
      exp(-x * x);
  return mix(0.5 * tail, 1 - 0.5 * tail, greaterThanEqual(z, vec4(0)));
}

// y and its derivative by z.
struct Result {
  vec4 y;
  vec4 derivative;
};

Result activate(vec4 z) {
  if (FUNCTION == ACTIVATION_SIGMOID) {
    const vec4 y = sigmoid(z);
    return Result(y, y * (1 - y));
  }
  if (FUNCTION == ACTIVATION_TANH) {
    const vec4 y = 2 * sigmoid(2 * z) - 1;
    return Result(y, 1 - y * y);
  }
  if (FUNCTION == ACTIVATION_RELU)
    return Result(max(z, 0), mix(vec4(0), vec4(1), greaterThan(z, vec4(0))));
  if (FUNCTION == ACTIVATION_GELU_TANH) {
    const vec4 share = sigmoid(1.5957691216057308 * (z + 0.044715 * z * z * z));
    const vec4 slope = 1.5957691216057308 * (1 + 0.134145 * z * z);
    return Result(z * share, share + z * share * (1 - share) * slope);
  }
  if (FUNCTION == ACTIVATION_GELU_SIGMOID) {
    const vec4 share = sigmoid(1.702 * z);
    return Result(z * share, share + 1.702 * z * share * (1 - share));
  }
  // z · share: the derivative of Φ is φ, that of σ is σ (1 − σ).
  const bool swish = FUNCTION == ACTIVATION_SWISH;
  const vec4 share = swish ? sigmoid(z) : normal_share(z);
  const vec4 density = swish ? share * (1 - share) : 0.39894228040143268 * exp(-0.5 * z * z);
  return Result(z * share, share + z * density);
}
