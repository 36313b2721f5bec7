// Guided alignment on the device compared with the reference: its cost, and the gradients of an
// attention with it.
#include "nn/attention/guided.hpp"
#include "tests/kernels/attention_stage.hpp"
#include "tests/reference/guided_alignment.hpp"

namespace awend::tests {
namespace {

struct GuidedCase {
  std::vector<std::size_t> targets, sources;  // first rows of sentences, and the number of rows
  std::uint32_t heads, d_k, head;
  nn::AlignmentCost cost;
  nn::Element precision = nn::Element::kFloat32;
  double tolerance = kFp32Tolerance;
};

/// None, one or several keys of each query, among them the last one.
std::vector<std::vector<std::size_t>> some_links(const std::vector<reference::RowRange>& keys) {
  base::Random random(7);
  std::vector<std::vector<std::size_t>> links;
  for (const auto& [begin, end] : keys) {
    auto& own = links.emplace_back();
    const auto count = static_cast<std::uint32_t>(end - begin);
    for (auto more = random.below(4); more > 0; --more) own.push_back(random.below(count));
    if (random.below(3) == 0) own.push_back(count - 1);
  }
  return links;
}

std::vector<std::uint32_t> bits_of(const std::vector<std::vector<std::size_t>>& links,
                                   std::uint32_t max_keys) {
  const auto words = nn::link_words(max_keys);
  std::vector<std::uint32_t> bits(links.size() * words);
  for (std::size_t row = 0; row < links.size(); ++row) {
    for (const auto key : links[row]) bits[row * words + key / 32] |= 1U << (key % 32);
  }
  return bits;
}

void check(const GuidedCase& c) {
  const auto ranges = reference::cross_ranges(c.targets, c.sources);
  CAPTURE(c.targets.back(), c.sources.back(), c.heads, c.d_k, c.head, nn::name_of(c.precision));
  std::size_t longest = 0;
  for (const auto& [begin, end] : ranges) longest = std::max(longest, end - begin);
  const auto max_keys = static_cast<std::uint32_t>(longest + 3);
  constexpr double kWeight = 0.75, kLossScale = 0.25;

  AttentionStage stage({.keys = ranges,
                        .key_rows = c.sources.back(),
                        .heads = c.heads,
                        .d_k = c.d_k,
                        .d_v = c.d_k,
                        .dropout = 0.2,
                        .precision = c.precision,
                        .tolerance = c.tolerance});
  auto& bench = stage.bench;
  bench.scalars().loss_scale = static_cast<float>(kLossScale);
  const auto links = some_links(ranges);
  const nn::GuidedAttentionInputs inputs{
      .links =
          bench.given_words(stage.queries(), nn::link_words(max_keys), bits_of(links, max_keys)),
      .queries_of_key = stage.ranges().queries_of_key,
      .max_keys = max_keys,
      .head = c.head,
      .settings = {.cost = c.cost, .weight = kWeight}};
  std::optional<nn::GuidedAttentionLoss> cost;
  bench.graph.on_attention(
      [&](const nn::AttentionRecord& record) { cost.emplace(bench.graph, record, inputs); });
  stage.run(stage.attention());

  auto expected = stage.expected_gradient();
  // The cost is always in fp32.
  const auto guided = reference::guided_attention(
      stage.oracle(nn::Element::kFloat32),
      {.links = links,
       .cost = c.cost == nn::AlignmentCost::kCrossEntropy ? reference::AlignmentCost::kCrossEntropy
                                                          : reference::AlignmentCost::kSquaredError,
       .head = c.head});
  for (std::size_t i = 0; i < expected.dq.values.size(); ++i)
    expected.dq.values[i] += kWeight * kLossScale * guided.dq.values[i];
  for (std::size_t i = 0; i < expected.dk.values.size(); ++i)
    expected.dk.values[i] += kWeight * kLossScale * guided.dk.values[i];
  const auto totals = bench.program.host<float>(cost->totals());
  REQUIRE(totals[0] == Approx(guided.cost).epsilon(1e-5).margin(1e-6));
  stage.require_gradient(expected);
}

}  // namespace

TEST_CASE("guided alignment and its gradients equal the reference", "[attention]") {
  for (const auto cost : {nn::AlignmentCost::kCrossEntropy, nn::AlignmentCost::kSquaredError}) {
    // The only weight is 1 whatever its score is: a difference of numbers of about 1 remains.
    check({.targets = {0, 1},
           .sources = {0, 1},
           .heads = 1,
           .d_k = 4,
           .head = 0,
           .cost = cost,
           .tolerance = 1e-4});
    check({{0, 5, 6, 30}, {0, 1, 40, 75}, 3, 20, 1, cost});
    check({{0, 40, 80}, {0, 33, 130}, 2, 64, 1, cost});
    check({{0, 7, 20}, {0, 9, 16}, 4, 8, 0, cost});
  }
}

TEST_CASE("guided alignment is in fp32 whatever the operands of products", "[attention]") {
  std::size_t checked = 0;
  for (const auto precision : {nn::Element::kFloat16, nn::Element::kBfloat16}) {
    if (!engine().computes(precision)) continue;
    ++checked;
    check({.targets = {0, 5, 30},
           .sources = {0, 20, 40},
           .heads = 2,
           .d_k = 32,
           .head = 0,
           .cost = nn::AlignmentCost::kCrossEntropy,
           .precision = precision,
           .tolerance = 2e-2});
  }
  if (checked == 0) SKIP("the device computes in no type of 16 bits");
}

}  // namespace awend::tests
