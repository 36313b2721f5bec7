// Adam, its learning rate, and gradient clipping (section 5.3 of the paper); gradient descent; and
// Muon.
#pragma once

#include <algorithm>
#include <cmath>

#include "tests/reference/matmul.hpp"
#include "tests/reference/matrix.hpp"

namespace awend::reference {

struct AdamSettings {
  double beta1 = 0.9;
  double beta2 = 0.98;
  double epsilon = 1e-9;
  double weight_decay = 0;
};

/// The moments of Adam for a parameter: decaying means of the gradient and of its square.
struct AdamMoments {
  std::vector<double> first, second;
};

/// One update of `parameters` in place; `step` counts from 1.
inline void adam_step(const AdamSettings& settings, std::size_t step, double rate,
                      const std::vector<double>& gradient, AdamMoments& moments,
                      std::vector<double>& parameters) {
  const double correction1 = 1 - std::pow(settings.beta1, static_cast<double>(step));
  const double correction2 = 1 - std::pow(settings.beta2, static_cast<double>(step));
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    double& first = moments.first[i];
    double& second = moments.second[i];
    first = settings.beta1 * first + (1 - settings.beta1) * gradient[i];
    second = settings.beta2 * second + (1 - settings.beta2) * gradient[i] * gradient[i];
    parameters[i] -=
        rate * ((first / correction1) / (std::sqrt(second / correction2) + settings.epsilon) +
                settings.weight_decay * parameters[i]);
  }
}

/// One update of `parameters` in place by gradient descent; `factor` clips the gradient.
inline void sgd_step(double rate, double weight_decay, double factor,
                     const std::vector<double>& gradient, std::vector<double>& parameters) {
  for (std::size_t i = 0; i < parameters.size(); ++i)
    parameters[i] -= rate * (factor * gradient[i] + weight_decay * parameters[i]);
}

/// `x` with all singular values about 1: five steps of Newton-Schulz with the coefficients of
/// Jordan et al. (2024).
inline Matrix orthogonalized(Matrix x) {
  double squares = 0;
  for (const double value : x.values) squares += value * value;
  if (squares == 0) return x;
  for (double& value : x.values) value /= std::sqrt(squares);
  if (x.rows > x.columns) return transpose(orthogonalized(transpose(x)));
  for (int step = 0; step < 5; ++step) {
    const Matrix a = product(x, transpose(x));
    const Matrix ax = product(a, x), aax = product(a, ax);
    for (std::size_t i = 0; i < x.values.size(); ++i)
      x.values[i] = 3.4445 * x.values[i] - 4.7750 * ax.values[i] + 2.0315 * aax.values[i];
  }
  return x;
}

struct MuonSettings {
  double rate;
  double momentum = 0.95;
  double weight_decay = 0;
};

/// One update of the matrix `x` in place by Muon.
inline void muon_step(const MuonSettings& settings, const Matrix& gradient, Matrix& first,
                      Matrix& x) {
  Matrix u(x.rows, x.columns);
  for (std::size_t i = 0; i < x.values.size(); ++i) {
    const double share = (1 - settings.momentum) * gradient.values[i];
    first.values[i] = settings.momentum * first.values[i] + share;
    u.values[i] = settings.momentum * first.values[i] + share;
  }
  const Matrix direction = orthogonalized(u);
  const double scale = 0.2 * std::sqrt(static_cast<double>(std::max(x.rows, x.columns)));
  for (std::size_t i = 0; i < x.values.size(); ++i)
    x.values[i] -=
        settings.rate * (scale * direction.values[i] + settings.weight_decay * x.values[i]);
}

/// d_model^-0.5 * min(step^-0.5, step * warmup^-1.5); `step` counts from 1.
inline double learning_rate(std::size_t step, std::size_t d_model, std::size_t warmup) {
  const auto s = static_cast<double>(step);
  return std::pow(static_cast<double>(d_model), -0.5) *
         std::min(std::pow(s, -0.5), s * std::pow(static_cast<double>(warmup), -1.5));
}

/// The Euclidean norm of all gradients together.
inline double global_norm(const std::vector<double>& gradient) {
  double squares = 0;
  for (double value : gradient) squares += value * value;
  return std::sqrt(squares);
}

/// The factor that scales gradients of norm `norm` to at most `longest`.
inline double clip_factor(double norm, double longest) {
  return norm > longest ? longest / norm : 1;
}

}  // namespace awend::reference
