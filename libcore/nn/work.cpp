#include "nn/work.hpp"

#include <algorithm>

namespace awend::nn {
namespace {

// How many keys a query attends to depends on the batch; submissions are bounded by estimates only
// until they are measured.
constexpr double kKeys = 128;
// Scores and values in the forward pass; in the backward pass of queries also the gradients of
// scores, and in that of keys the gradients of keys and values.
constexpr double kForwardProducts = 2;
constexpr double kBackwardProducts = 4;

}  // namespace

double flops_of(const Launch& launch) {
  if (launch.flops > 0 || !launch.kernel.starts_with("attention")) return launch.flops;
  const auto queries = std::ranges::find(launch.operands, "q", &Operand::name);
  if (queries == launch.operands.end()) return 0;
  const bool is_backward =
      std::ranges::find(launch.operands, "dy", &Operand::name) != launch.operands.end();
  return 2 * (is_backward ? kBackwardProducts : kForwardProducts) * queries->tensor.rows.capacity *
         queries->tensor.columns * kKeys;
}

}  // namespace awend::nn
