// Attention over many rows in several launches: the same bits as in one launch, with dropout, by
// each family of kernels that the device has.
#include "nn/attention/matrix.hpp"
#include "nn/attention/subgroup.hpp"
#include "tests/kernels/attention_stage.hpp"

namespace awend::tests {
namespace {

constexpr std::uint32_t kCapacity = 200;
constexpr nn::AttentionShape kShape{.heads = 2, .d_k = 32, .d_v = 16, .dropout = 0.2};

/// y, dq, dk and dv of causal attention over a sentence of three rows and one of the other rows, in
/// launches of at most `step` rows.
std::vector<std::vector<double>> attend(const nn::AttentionKernels& kernels, nn::Element element,
                                        std::size_t row_count, std::uint32_t step) {
  const auto keys = reference::causal_ranges({0, 3, row_count});
  Bench bench;
  bench.allocate(element);
  const auto rows = bench.program.count(kCapacity);
  bench.set_rows(rows, row_count);
  const auto columns = [&](std::uint32_t of_head, std::uint64_t seed) {
    return bench.given(rows, noise(row_count, kShape.heads * of_head, seed));
  };
  const nn::Projections projections{columns(kShape.d_k, 1), columns(kShape.d_k, 2),
                                    columns(kShape.d_v, 3)};
  const nn::AttentionRanges ranges{
      .keys_of_query = bench.given_words(rows, 2, words_of(keys)),
      .queries_of_key = bench.given_words(rows, 2, words_of(queries_of(keys, row_count)))};
  const std::size_t before = bench.program.launches();
  const auto y = nn::attention_by(kernels, bench.graph, projections, ranges, kShape, step);
  REQUIRE(bench.program.launches() - before >= (kCapacity + step - 1) / step);
  std::vector<nn::Tensor> outputs{bench.observe(y)};
  bench.seed_gradient(y, noise(row_count, kShape.heads * kShape.d_v, 4));
  bench.graph.derive_backward();
  for (const auto& tensor : {projections.q, projections.k, projections.v})
    outputs.push_back(bench.observe_gradient(tensor));
  bench.run();
  std::vector<std::vector<double>> values;
  for (const auto& output : outputs) values.push_back(bench.read(output, row_count).values);
  return values;
}

void check_parts(const nn::AttentionKernels& kernels, nn::Element element = nn::Element::kFloat32) {
  for (const std::size_t rows : {200u, 129u, 50u}) {
    CAPTURE(rows);
    const auto whole = attend(kernels, element, rows, kCapacity);
    for (const std::uint32_t step : {64u, 128u}) {
      CAPTURE(step);
      REQUIRE(attend(kernels, element, rows, step) == whole);
    }
  }
}

}  // namespace

TEST_CASE("attention in parts is the whole attention", "[attention]") {
  check_parts(nn::subgroup_attention_kernels(engine()));
  if (nn::shared_attention_rows(engine().limits(), kShape)) {
    check_parts(nn::shared_attention_kernels(16));
    check_parts(nn::shared_attention_kernels(32));
  }
}

TEST_CASE("attention on matrix units in parts is the whole attention", "[matrix][vulkan]") {
  constexpr auto kElement = nn::Element::kFloat16;
  const auto cut = nn::matrix_attention_cut(engine().limits(), kElement, kShape);
  if (!cut) SKIP(engine().name() << " has no matrix units for fp16");
  check_parts(nn::matrix_attention_kernels(*cut), kElement);
}

}  // namespace awend::tests
