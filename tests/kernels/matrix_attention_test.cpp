// Attention on matrix units against the reference: encoder, causal and cross forms over packed
// sentences, forward and backward.  Where the device has no matrix units, only that is said.
#include "nn/matrix_attention.hpp"

#include "tests/kernels/attention_stage.hpp"

namespace awend::tests {
namespace {

/// Scores are those of rounded q and k; weights and slopes are rounded once more where they meet v
/// and k, which the reference does not do.
double tolerance(nn::Element element) {
  return element == nn::Element::kFloat16 ? 2e-3 : 1.5e-2;
}

}  // namespace

TEST_CASE("attention on matrix units equals the reference", "[matrix]") {
  const std::vector<std::size_t> source = {0, 1, 10, 27, 90}, target = {0, 3, 4, 23, 72};
  for (const auto element : {nn::Element::kFloat16, nn::Element::kBfloat16}) {
    if (!nn::matrix_attention_cut(engine().device.limits(), element, {2, 32, 32, 0})) {
      WARN("no matrix units for " << nn::name_of(element) << " on " << engine().device.info().name);
      continue;
    }
    const auto check = [&](AttentionCase c) {
      c.precision = element;
      c.tolerance = tolerance(element);
      check_attention(c);
    };
    check({reference::sentence_ranges(source), 90, 2, 32, 32, 0});
    check({reference::causal_ranges(target), 72, 2, 16, 48, 0});
    check({reference::cross_ranges(target, source), 90, 1, 64, 64, 0});
    check({reference::causal_ranges(target), 72, 1, 32, 16, 0.3});
    check({reference::sentence_ranges({0, 1}), 1, 1, 16, 16, 0});
  }
}

}  // namespace awend::tests
