// Products with listed rows of a table.
#include "host/listed_product.hpp"

#include <optional>

#include "tests/unit/host/sets.hpp"

namespace awend::host {

TEST_CASE("listed products: instruction sets give the same bytes, and rows are independent") {
  constexpr std::size_t kTable = 50;
  for (const std::size_t inner : {4, 16, 36, 256}) {
    for (const std::size_t rows : {1, 2, 3, 4, 7}) {
      CAPTURE(inner, rows);
      const auto a = uniform_floats(rows * inner, 1), table = uniform_floats(kTable * inner, 2),
                 bias = uniform_floats(kTable, 3);
      const std::vector<std::uint32_t> ids = {0, 3, 4, 9, 17, 49, 8};
      const ListedProduct product{.rows = rows,
                                  .inner = inner,
                                  .a = a.data(),
                                  .table = table.data(),
                                  .integers = std::nullopt,
                                  .ids = ids,
                                  .bias = bias.data(),
                                  .c = nullptr,
                                  .c_stride = ids.size() + 2};
      const auto result = result_of_all([&](ThreadPool&) {
        std::vector<float> c(rows * (ids.size() + 2));
        auto own = product;
        own.c = c.data();
        multiply_listed(own);
        return c;
      });
      for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t i = 0; i < ids.size(); ++i) {
          double sum = bias[ids[i]];
          for (std::size_t k = 0; k < inner; ++k)
            sum += double{a[row * inner + k]} * table[ids[i] * inner + k];
          REQUIRE(result[row * (ids.size() + 2) + i] == Approx(sum).margin(1e-5));
          auto one = product;
          float value = 0;
          one.rows = 1;
          one.a = a.data() + row * inner;
          one.ids = std::span(ids).subspan(i, 1);
          one.c = &value;
          multiply_listed(one);
          REQUIRE(value == result[row * (ids.size() + 2) + i]);
        }
      }
    }
  }
}

TEST_CASE("listed products of integers are those of the widened table") {
  constexpr std::size_t kTable = 20;
  for (const std::size_t inner : {4, 20, 64}) {
    const auto a = uniform_floats(7 * inner, 1), scales = uniform_floats(kTable, 2);
    std::vector<std::int8_t> integers(kTable * inner);
    std::vector<float> table(kTable * inner);
    for (std::size_t i = 0; i < integers.size(); ++i) {
      integers[i] = static_cast<std::int8_t>(static_cast<int>(i * 37 % 255) - 127);
      table[i] = scales[i / inner] * static_cast<float>(integers[i]);
    }
    const std::vector<std::uint32_t> ids = {0, 3, 4, 9, 17, 19, 8};
    ListedProduct product{.rows = 7,
                          .inner = inner,
                          .a = a.data(),
                          .table = table.data(),
                          .integers = std::nullopt,
                          .ids = ids,
                          .bias = nullptr,
                          .c = nullptr,
                          .c_stride = ids.size()};
    const auto result = [&](ThreadPool&) {
      std::vector<float> c(7 * ids.size());
      product.c = c.data();
      multiply_listed(product);
      return c;
    };
    const auto expected = result_of_all(result);
    product.table = nullptr;
    product.integers = Int8Matrix{integers.data(), scales.data(), inner};
    CAPTURE(inner);
    CHECK(same_bits(result_of_all(result), expected));
  }
}

}  // namespace awend::host
