// Attention with tiles in shared memory, also on devices that prefer the kernels for subgroups:
// compared with the reference, with all tiles, and independent of what else is in the batch.
#include <cstring>

#include "tests/kernels/attention_stage.hpp"

namespace awend::tests {
namespace {

/// The output for the sentence at rows `begin` … `end` - 1 of a batch with these sentences, whose
/// rows are the same in every batch.
std::vector<float> output_of(const std::vector<std::size_t>& sentences, std::size_t begin,
                             std::size_t end) {
  constexpr std::uint32_t kHeads = 2, kWidth = 32;
  const std::size_t rows = sentences.back();
  const Matrix sentence = noise(end - begin, kHeads * kWidth, 7);
  Matrix q = noise(rows, kHeads * kWidth, 8);
  std::ranges::copy(sentence.values,
                    q.values.begin() + static_cast<std::ptrdiff_t>(begin * kHeads * kWidth));
  Bench bench(nn::Mode::kInference);
  const auto count = bench.program.count(static_cast<std::uint32_t>(rows));
  bench.set_rows(count, rows);
  const auto t = bench.given(count, q);
  const auto ranges = bench.given_words(count, 2, words_of(reference::sentence_ranges(sentences)));
  const auto output =
      bench.observe(nn::attention_by(nn::shared_attention_kernels(16), bench.graph, {t, t, t},
                                     {ranges, ranges}, {kHeads, kWidth, kWidth, 0}));
  bench.run();
  const auto all = bench.program.host<float>(output);
  const auto columns = std::size_t{kHeads} * kWidth;
  return {all.begin() + static_cast<std::ptrdiff_t>(begin * columns),
          all.begin() + static_cast<std::ptrdiff_t>(end * columns)};
}

/// Whether a workgroup with this number of rows fits the shared memory of the device.
bool fits(std::uint32_t rows, const AttentionCase& c) {
  auto limits = engine().limits();
  limits.hardware_lanes = 32;  // for which there may be 32 rows
  return rows <= nn::shared_attention_rows(limits, {c.heads, c.d_k, c.d_v, c.dropout}).value_or(0);
}

}  // namespace

TEST_CASE("attention in shared memory equals the reference", "[attention][vulkan]") {
  const std::vector<std::size_t> source = {0, 1, 10, 27, 130}, target = {0, 3, 4, 23, 101};
  for (const std::uint32_t rows : {16u, 32u}) {
    const auto check = [&](AttentionCase c) {
      c.shared_rows = rows;
      if (fits(rows, c)) check_attention(c);
    };
    check({reference::sentence_ranges(source), 130, 2, 32, 32, 0});
    check({reference::causal_ranges(target), 101, 1, 48, 64, 0});
    check({reference::cross_ranges(target, source), 130, 2, 4, 36, 0});
    check({reference::cross_ranges(target, source), 130, 1, 40, 4, 0.3});
    check({reference::sentence_ranges({0, 1}), 1, 1, 4, 4, 0});
    check({reference::window_ranges(reference::sentence_ranges(source), 5), 130, 2, 32, 32, 0.2});
    check({reference::window_ranges(reference::causal_ranges(target), 12), 101, 1, 8, 12, 0});
    // Keys 2 and 6 have no queries.
    check({{{0, 2}, {0, 2}, {3, 6}, {3, 6}, {3, 6}}, 7, 2, 8, 8, 0.2});
  }
}

TEST_CASE("attention in shared memory does not depend on the batch", "[attention][vulkan]") {
  const auto single = output_of({0, 40}, 0, 40);
  for (const std::size_t before : {1u, 5u, 31u, 70u}) {
    const auto batched = output_of({0, before, before + 40, before + 90}, before, before + 40);
    CAPTURE(before);
    REQUIRE(std::memcmp(single.data(), batched.data(), single.size() * sizeof(float)) == 0);
  }
}

TEST_CASE("attention in shared memory respects the limits of a device", "[attention][vulkan]") {
  vulkan::Limits limits{};
  limits.subgroup_size = limits.hardware_lanes = 32;
  limits.workgroup_threads = 1024;
  limits.shared_bytes = 48 << 10;
  const nn::AttentionShape shape{.heads = 8, .d_k = 64, .d_v = 64, .dropout = 0};
  CHECK(nn::shared_attention_rows(limits, shape) == 32);
  limits.shared_bytes = 16 << 10;  // that Vulkan guarantees
  CHECK(nn::shared_attention_rows(limits, shape) == 16);
  limits.shared_bytes = 8 << 10;
  CHECK_FALSE(nn::shared_attention_rows(limits, shape));
  limits.shared_bytes = 48 << 10;
  limits.hardware_lanes = limits.subgroup_size = 8;
  CHECK(nn::shared_attention_rows(limits, shape) == 16);
  limits.hardware_lanes = limits.subgroup_size = 128;
  CHECK_FALSE(nn::shared_attention_rows(limits, shape));
}

}  // namespace awend::tests
