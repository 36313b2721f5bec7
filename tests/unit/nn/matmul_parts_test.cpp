// The rows of a matrix product that one launch computes, so that no submission takes too long.
#include "nn/matmul/matmul.hpp"
#include "tests/catch.hpp"

namespace awend::nn {
namespace {

constexpr vulkan::Pace kSlow{.submit_seconds = 0.05,
                             .speed = {.flops_per_second = 1e11, .bytes_per_second = 1e10}};

Product product(Form form, std::uint32_t rows, std::uint32_t inner, std::uint32_t columns) {
  const Tensor a{0, {0, rows}, inner};
  return {.form = form, .a = a, .b = {}, .c = {2, {0, rows}, columns}, .bias = std::nullopt};
}

TEST_CASE("a product that is too long is divided by rows", "[pace]") {
  CHECK(flops_of(product(Form::kNN, 100, 10, 20)) == 40'000);
  // 12 500 tokens, and a vocabulary of 37 000: 474 GFLOP in parts of at most 5.
  const auto large = product(Form::kNT, 12'500, 512, 37'000);
  CHECK(part_rows(large, kSlow) == 256);
  CHECK(flops_of(product(Form::kNT, 256, 512, 37'000)) < 0.1 * 1.5e11);
  const auto feed_forward = product(Form::kNN, 25'000, 1024, 4096);
  const std::uint32_t rows = part_rows(feed_forward, kSlow);
  CHECK(rows == 512);
  CHECK(flops_of(product(Form::kNN, rows, 1024, 4096)) <= 0.05 * 1e11);
}

TEST_CASE("other products are one launch", "[pace]") {
  CHECK(part_rows(product(Form::kNN, 4096, 512, 512), kSlow) == 4096);
  CHECK(part_rows(product(Form::kTN, 100, 37'000, 512), kSlow) == 100);
  // The least part is 256 rows, however long that takes.
  CHECK(part_rows(product(Form::kNT, 1000, 4096, 256'000), kSlow) == 256);
  CHECK(part_rows(product(Form::kNT, 200, 4096, 256'000), kSlow) == 200);
  const auto cpu = vulkan::pace_of(VK_PHYSICAL_DEVICE_TYPE_CPU);
  CHECK(part_rows(product(Form::kNT, 12'500, 512, 37'000), cpu) == 12'500);
}

}  // namespace
}  // namespace awend::nn
