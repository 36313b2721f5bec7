// Fake quantization on the CPU: columns are those of quantized operands of products, with the same
// bytes for all instruction sets and threads.

#include "host/int8_product.hpp"
#include "shaders/op_fake_quantize.h"
#include "tests/unit/host/sets.hpp"

namespace awend::host {
namespace {

/// The columns of `b` as a product sees them: those of the product with the unit matrix.
std::vector<float> as_multiplied(ThreadPool& pool, const std::vector<float>& b, std::size_t inner,
                                 std::size_t columns) {
  std::vector<float> unit(inner * inner), c(inner * columns);
  for (std::size_t i = 0; i < inner; ++i) unit[i * inner + i] = 1;
  const Product product{.rows = inner,
                        .columns = columns,
                        .inner = inner,
                        .a = {unit.data(), inner},
                        .b = {b.data(), columns},
                        .c = c.data()};
  multiply(pool, product, QuantizedOperand(pool, product.b, inner, columns, 127));
  return c;
}

}  // namespace

TEST_CASE("columns are rounded as the right operands of 8-bit products") {
  for (const auto& [inner, columns] :
       {std::pair<std::size_t, std::size_t>{1, 4}, {20, 12}, {33, 52}, {700, 300}}) {
    CAPTURE(inner, columns);
    auto b = uniform_floats(inner * columns, 1);
    for (std::size_t row = 0; row < inner; ++row) b[row * columns + 1] = 0;
    result_of_all([&](ThreadPool& pool) {
      std::vector<float> y(b.size());
      fake_quantize_columns(
          pool, {.x = b.data(), .y = y.data(), .columns = columns, .rows_count = RowCount(inner)});
      const auto expected = as_multiplied(pool, b, inner, columns);
      for (std::size_t i = 0; i < y.size(); ++i) REQUIRE(std::abs(y[i] - expected[i]) < 2e-7);
      return y;
    });
  }
}

}  // namespace awend::host
