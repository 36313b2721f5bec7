// Simpler simple recurrent units (Kim et al., 2019) over packed sentences, element by element:
//
//   f = σ(forget);  c' = f c + (1 − f) candidate;  y = max(c', 0)
//
// N rows are sentences packed end to end; sentence s has the rows begins[s] … begins[s + 1] - 1.
// candidate and forget are (N, d), initial states (sentences, d).
#pragma once

#include <algorithm>
#include <vector>

#include "tests/reference/activation.hpp"
#include "tests/reference/matrix.hpp"

namespace awend::reference {

struct Ssru {
  std::vector<std::size_t> begins;
  Matrix candidate, forget;
  Matrix initial;  // empty: zero
};

struct SsruResult {
  Matrix outputs, states;  // (N, d)
};

struct SsruGradient {
  Matrix candidate, forget;
};

inline double state_before(const Ssru& unit, const SsruResult& result, std::size_t s,
                           std::size_t row, std::size_t k) {
  if (row > unit.begins[s]) return result.states(row - 1, k);
  return unit.initial.values.empty() ? 0 : unit.initial(s, k);
}

inline SsruResult ssru(const Ssru& unit) {
  const std::size_t d = unit.candidate.columns;
  SsruResult result{Matrix(unit.candidate.rows, d), Matrix(unit.candidate.rows, d)};
  for (std::size_t s = 0; s + 1 < unit.begins.size(); ++s) {
    for (std::size_t row = unit.begins[s]; row < unit.begins[s + 1]; ++row) {
      for (std::size_t k = 0; k < d; ++k) {
        const double f = sigmoid(unit.forget(row, k));
        result.states(row, k) =
            f * state_before(unit, result, s, row, k) + (1 - f) * unit.candidate(row, k);
        result.outputs(row, k) = std::max(result.states(row, k), 0.0);
      }
    }
  }
  return result;
}

/// Gradients from dy (N, d).
inline SsruGradient ssru_backward(const Ssru& unit, const SsruResult& result, const Matrix& dy) {
  const std::size_t d = unit.candidate.columns;
  SsruGradient gradient{Matrix(unit.candidate.rows, d), Matrix(unit.candidate.rows, d)};
  for (std::size_t s = 0; s + 1 < unit.begins.size(); ++s) {
    std::vector<double> of_state(d);  // from the rows after this one
    for (std::size_t row = unit.begins[s + 1]; row-- > unit.begins[s];) {
      for (std::size_t k = 0; k < d; ++k) {
        const double f = sigmoid(unit.forget(row, k));
        const double dc = of_state[k] + (result.states(row, k) > 0 ? dy(row, k) : 0);
        const double change = state_before(unit, result, s, row, k) - unit.candidate(row, k);
        gradient.candidate(row, k) = dc * (1 - f);
        gradient.forget(row, k) = dc * change * f * (1 - f);
        of_state[k] = dc * f;
      }
    }
  }
  return gradient;
}

}  // namespace awend::reference
