#include "train/loss_scale.hpp"

namespace awend::train {
namespace {

constexpr double kFirst = 65536;
constexpr double kLargest = 16777216;  // a loss near 10 stays far from infinity, even summed
constexpr std::uint64_t kPatience = 2000;

}  // namespace

LossScale first_scale(nn::Element precision) {
  return {.value = precision == nn::Element::kFloat16 ? kFirst : 1, .updates = 0};
}

LossScale next_scale(LossScale scale, nn::Element precision, bool finite) {
  if (precision != nn::Element::kFloat16) return scale;
  if (!finite) return {.value = scale.can_fall() ? scale.value / 2 : 1, .updates = 0};
  if (++scale.updates < kPatience || scale.value >= kLargest) return scale;
  return {.value = scale.value * 2, .updates = 0};
}

}  // namespace awend::train
