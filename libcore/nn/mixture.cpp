#include "nn/mixture.hpp"

#include <cmath>

#include "base/error.hpp"
#include "nn/shader_types.hpp"

namespace awend::nn {
namespace {

// ln 0, with which the shader can still reckon.
constexpr float kLogOfNothing = -1e30f;

float shader_weight(Mixing mixing, double weight) {
  if (mixing == Mixing::kLog) return static_cast<float>(weight);
  return weight > 0 ? static_cast<float>(std::log(weight)) : kLogOfNothing;
}

}  // namespace

Mixture::Mixture(Mixing mixing, std::vector<double> weights)
    : mixing_(mixing), weights_(std::move(weights)) {}

void Mixture::add(Program& program, const Logits& logits) {
  base::check(added_ < weights_.size(), "every model of a mixture has its weight");
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
  program.launch(
      {.kernel = "mixture",
       .constants = {logits.values.columns, first ? 1u : 0u, mixing_ == Mixing::kLinear ? 1u : 0u},
       .operands = {logits.values, mixed_.values},
       .push_constants = bytes_of(
           MixturePush{logits.values.rows.word, logits.vocabulary, shader_weight(mixing_, weight)}),
       .x = Axis::rows(logits.values.rows)});
}

const Logits& Mixture::logits() const {
  base::check(added_ == weights_.size(), "every model of a mixture was added");
  return mixed_;
}

}  // namespace awend::nn
