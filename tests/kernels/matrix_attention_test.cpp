// Attention on matrix units compared with the reference: encoder, causal and cross forms over
// packed sentences, forward and backward.  Skipped for elements that the matrix units do not
// support.
#include "nn/attention/matrix.hpp"
#include "tests/kernels/attention_stage.hpp"

namespace awend::tests {
namespace {

/// The reference also rounds q, k, v and dy to 16 bits, but not the weights and their gradients.
double tolerance(nn::Element element) {
  return element == nn::Element::kFloat16 ? 2e-3 : 1.5e-2;
}

void check_attention_on_units(nn::Element element) {
  if (!nn::matrix_attention_cut(engine().limits(), element, {2, 32, 32, 0}))
    SKIP(engine().name() << " has no matrix units for " << nn::name_of(element));
  const std::vector<std::size_t> source = {0, 1, 10, 27, 90}, target = {0, 3, 4, 23, 72};
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
  check({reference::window_ranges(reference::sentence_ranges(source), 3), 90, 2, 32, 32, 0.2});
  check({reference::window_ranges(reference::causal_ranges(target), 20), 72, 1, 16, 16, 0});
}

}  // namespace

TEST_CASE("attention on matrix units equals the reference in fp16", "[matrix][vulkan]") {
  check_attention_on_units(nn::Element::kFloat16);
}

TEST_CASE("attention on matrix units equals the reference in bf16", "[matrix][vulkan]") {
  check_attention_on_units(nn::Element::kBfloat16);
}

}  // namespace awend::tests
