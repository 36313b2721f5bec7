// Dropout with an explicit mask, and the residual connection around it (section 5.4 of the paper).
//
// The mask of element e at use `dropout_id` of step `step` is word e % 4 of Philox at {e / 4,
// dropout_id, step, 0} with the seed as key: the element is kept if and only if the word is at or
// above the threshold.  The shaders do the same.
#pragma once

#include <functional>

#include "tests/reference/matrix.hpp"

namespace awend::reference {

/// The factors of the elements: 1 / (1 - probability), or 0 if dropped.
struct Dropout {
  double probability = 0;
  std::function<bool(std::size_t element)> keep;

  double factor(std::size_t element) const {
    if (probability == 0) return 1;
    return keep(element) ? 1 / (1 - probability) : 0;
  }
};

/// A use of dropout in the network, at one step of training.
struct DropoutPlace {
  double probability = 0;
  std::uint64_t seed = 0;
  std::uint32_t dropout_id = 0;
  std::uint32_t step = 0;
};

inline Dropout no_dropout() {
  return {};
}

/// The mask that the shaders compute at `place`.
inline Dropout philox_dropout(const DropoutPlace& place) {
  const auto threshold = base::dropout_threshold(place.probability);
  return {place.probability, [place, threshold](std::size_t element) {
            const auto block = static_cast<std::uint32_t>(element / 4);
            const auto words = base::philox({block, place.dropout_id, place.step, 0},
                                            base::philox_key(place.seed));
            return words[element % 4] >= threshold;
          }};
}

/// y = dropout(a), all (rows, columns); also its own gradient rule: da = dropout(dy).
inline Matrix dropped(const Matrix& a, const Dropout& dropout) {
  Matrix y = a;
  for (std::size_t element = 0; element < y.values.size(); ++element) {
    y.values[element] *= dropout.factor(element);
  }
  return y;
}

/// y = x + dropout(a), all (rows, columns).
inline Matrix residual(const Matrix& x, const Matrix& a, const Dropout& dropout) {
  Matrix y = dropped(a, dropout);
  for (std::size_t element = 0; element < y.values.size(); ++element) {
    y.values[element] += x.values[element];
  }
  return y;
}

struct ResidualGradient {
  Matrix dx, da;
};

inline ResidualGradient residual_backward(const Matrix& dy, const Dropout& dropout) {
  return {dy, dropped(dy, dropout)};
}

}  // namespace awend::reference
