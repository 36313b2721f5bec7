// Operands that are prepared for products once, for all programs.
#include "nn/matmul/prepared_operands.hpp"

#include "tests/catch.hpp"

namespace awend::tests {
namespace {

constexpr std::size_t kInner = 8, kColumns = 20;

host::Product product_with(const std::vector<float>& b) {
  return {.rows = 1,
          .columns = kColumns,
          .inner = kInner,
          .a = {nullptr, kInner},
          .b = {b.data(), kInner, host::Order::kColumns},
          .c = nullptr};
}

}  // namespace

TEST_CASE("an operand is prepared once for each version of its values", "[processor]") {
  nn::PreparedOperands prepared;
  host::ThreadPool threads(1);
  std::vector<float> b(kInner * kColumns, 1);
  const auto product = product_with(b);
  const auto& packed = prepared.packed(product, {0, 1});
  CHECK(packed.columns() == kColumns);
  CHECK(&prepared.packed(product, {0, 1}) == &packed);
  const auto& quantized = prepared.quantized(threads, product, {0, 1});
  CHECK(&prepared.quantized(threads, product, {0, 1}) == &quantized);
  const float scale = quantized.scales().front();

  b.assign(b.size(), 2);
  CHECK(prepared.packed(product, {0, 1}).values()[0] == 1);
  CHECK(prepared.packed(product, {0, 2}).values()[0] == 2);
  CHECK(prepared.quantized(threads, product, {0, 2}).scales().front() == 2 * scale);
}

TEST_CASE("operands of other parameters or in another order are others", "[processor]") {
  nn::PreparedOperands prepared;
  const std::vector<float> b(kInner * kColumns, 1), other(kInner * kColumns, 3);
  const auto* packed = &prepared.packed(product_with(b), {0, 1});
  CHECK(&prepared.packed(product_with(other), {1, 1}) != packed);
  auto by_rows = product_with(b);
  by_rows.b = {b.data(), kColumns, host::Order::kRows};
  CHECK(&prepared.packed(by_rows, {0, 1}) != packed);
  CHECK(&prepared.packed(product_with(b), {0, 1}) == packed);
}

}  // namespace awend::tests
