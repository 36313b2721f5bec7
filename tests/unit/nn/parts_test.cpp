// The division of operations by rows, so that no submission takes too long.
#include "nn/parts.hpp"

#include "nn/attention/work.hpp"
#include "nn/matmul/matmul.hpp"
#include "tests/catch.hpp"

namespace awend::nn {
namespace {

constexpr vulkan::Pace kSlow{.submit_seconds = 0.05,
                             .speed = {.flops_per_second = 1e11, .bytes_per_second = 1e10}};
const auto kCpu = vulkan::pace_of(vulkan::DeviceType::kCpu, 0);

Product product(Form form, std::uint32_t rows, std::uint32_t inner, std::uint32_t columns) {
  const Tensor a{0, {0, rows}, inner};
  return {.form = form, .a = a, .b = {}, .c = {2, {0, rows}, columns}, .bias = std::nullopt};
}

AttentionWork attention(AttentionDirection direction, std::uint32_t rows,
                        std::uint32_t other_rows) {
  return {.direction = direction,
          .shape = {.heads = 8, .d_k = 64, .d_v = 32},
          .rows = rows,
          .other_rows = other_rows};
}

TEST_CASE("the rows of a launch take no longer than a submission", "[pace]") {
  CHECK(part_rows({.rows = 1000, .flops = 5e9}, kSlow) == 1000);
  CHECK(part_rows({.rows = 1000, .flops = 6e9}, kSlow) == 768);
  CHECK(part_rows({.rows = 1000, .flops = 25e9}, kSlow) == 192);
  CHECK(part_rows({.rows = 1000, .flops = 6e12}, kSlow) == 64);
  CHECK(part_rows({.rows = 50, .flops = 6e12}, kSlow) == 50);
  CHECK(part_rows({.rows = 1000, .flops = 6e12}, kCpu) == 1000);
}

TEST_CASE("a product that is too long is divided by rows", "[pace]") {
  CHECK(flops_of(product(Form::kNN, 100, 10, 20)) == 40'000);
  // 12 500 tokens, and a vocabulary of 37 000: 474 GFLOP in parts of at most 5.
  const auto large = product(Form::kNT, 12'500, 512, 37'000);
  CHECK(part_rows(large, kSlow) == 128);
  CHECK(flops_of(product(Form::kNT, 128, 512, 37'000)) <= 0.05 * 1e11);
  const auto feed_forward = product(Form::kNN, 25'000, 1024, 4096);
  const std::uint32_t rows = part_rows(feed_forward, kSlow);
  CHECK(rows == 512);
  CHECK(flops_of(product(Form::kNN, rows, 1024, 4096)) <= 0.05 * 1e11);
}

TEST_CASE("other products are one launch", "[pace]") {
  CHECK(part_rows(product(Form::kNN, 4096, 512, 512), kSlow) == 4096);
  CHECK(part_rows(product(Form::kTN, 100, 37'000, 512), kSlow) == 100);
  // The least part is 64 rows, however long that takes.
  CHECK(part_rows(product(Form::kNT, 1000, 4096, 256'000), kSlow) == 64);
  CHECK(part_rows(product(Form::kNT, 50, 4096, 256'000), kSlow) == 50);
  CHECK(part_rows(product(Form::kNT, 12'500, 512, 37'000), kCpu) == 12'500);
}

TEST_CASE("attention over long sentences is divided by rows", "[pace]") {
  using enum AttentionDirection;
  // Scores twice, and values; gradients of keys need four products.
  CHECK(flops_of(attention(kForward, 10, 100)) == 2.0 * 10 * 100 * 8 * (2 * 64 + 32));
  CHECK(flops_of(attention(kKey, 10, 100)) == 2.0 * 10 * 100 * 8 * 2 * (64 + 32));
  CHECK(part_rows(attention(kQuery, 4096, 100), kSlow) == 4096);
  for (const auto direction : {kForward, kQuery, kKey}) {
    const std::uint32_t rows = part_rows(attention(direction, 25'000, 1024), kSlow);
    CHECK(rows % 64 == 0);
    CHECK(rows > 1024 / 2);
    CHECK(flops_of(attention(direction, rows, 1024)) <= 0.05 * 1e11);
  }
  CHECK(part_rows(attention(kKey, 25'000, 1024), kCpu) == 25'000);
}

TEST_CASE("a query has no more keys than there are", "[pace]") {
  CHECK(max_other_rows({.keys_of_query = {}, .queries_of_key = {}, .longest = 256}, {0, 1000}) ==
        256);
  CHECK(max_other_rows({.keys_of_query = {}, .queries_of_key = {}, .longest = 256}, {0, 100}) ==
        100);
  CHECK(max_other_rows({.keys_of_query = {}, .queries_of_key = {}}, {0, 1000}) == 1000);
}

}  // namespace
}  // namespace awend::nn
