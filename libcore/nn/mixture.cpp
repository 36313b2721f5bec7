#include "nn/mixture.hpp"

#include <cmath>

#include "base/error.hpp"
#include "shaders/op_mixture.h"

namespace awend::nn {
namespace {

// ln 0 as a finite number, so that differences are never NaN.
constexpr float kLogOfZero = -1e30f;

float shader_weight(Mixing mixing, double weight) {
  if (mixing == Mixing::kLog) return static_cast<float>(weight);
  return weight > 0 ? static_cast<float>(std::log(weight)) : kLogOfZero;
}

}  // namespace

Mixture::Mixture(Mixing mixing, std::vector<double> weights)
    : mixing_(mixing), weights_(std::move(weights)) {}

void Mixture::add(Program& program, const Logits& logits) {
  base::check(added_ < weights_.size(), "a mixture has a weight for each model");
  const double weight = weights_[added_];
  const bool first = added_++ == 0;
  if (weights_.size() == 1) {
    mixed_ = logits;
    return;
  }
  if (first) {
    mixed_ = {program.activation(logits.values.rows, logits.values.columns), logits.vocabulary};
  }
  base::check(mixed_.vocabulary == logits.vocabulary, "models of a mixture share a vocabulary");
  program.launch(MixtureLaunch{.constants = {.columns = logits.values.columns,
                                             .first = first,
                                             .linear = mixing_ == Mixing::kLinear},
                               .operands = {.logits = logits.values, .mixture = mixed_.values},
                               .push = {.rows_count = logits.values.rows.word,
                                        .vocabulary = logits.vocabulary,
                                        .weight = shader_weight(mixing_, weight)},
                               .x = Axis::rows(logits.values.rows)});
}

const Logits& Mixture::logits() const {
  base::check(added_ == weights_.size(), "all models of the mixture were added");
  return mixed_;
}

}  // namespace awend::nn
