// Products of 8-bit integers against plain loops, for every instruction set of this machine.
#include "host/int8_product.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "host/int8_amx.hpp"
#include "tests/unit/host/sets.hpp"

namespace awend::host {
namespace {

struct Case {
  std::size_t rows, columns, inner;
  Order b_order = Order::kRows;
  Start start = Start::kZero;
  Finish finish = Finish::kNone;
  float left_scale = 0;  // fixed
};

class Stage {
 public:
  explicit Stage(const Case& c)
      : case_(c),
        a_(uniform_floats(c.rows * c.inner, 1)),
        b_(uniform_floats(c.inner * c.columns, 2)),
        bias_(uniform_floats(c.columns, 3)),
        c_(c.rows * c.columns) {}

  float b_at(std::size_t k, std::size_t column) const {
    return case_.b_order == Order::kRows ? b_[k * case_.columns + column]
                                         : b_[column * case_.inner + k];
  }

  std::vector<float> result(ThreadPool& pool) {
    std::ranges::fill(c_, std::numeric_limits<float>::quiet_NaN());
    for (std::size_t i = 0; i < c_.size() && case_.start == Start::kResult; ++i)
      c_[i] = bias_[i % case_.columns];
    const bool by_rows = case_.b_order == Order::kRows;
    const Operand b{b_.data(), by_rows ? case_.columns : case_.inner, case_.b_order};
    multiply(pool,
             {.rows = case_.rows,
              .columns = case_.columns,
              .inner = case_.inner,
              .a = {a_.data(), case_.inner},
              .b = {},
              .c = c_.data(),
              .start = case_.start,
              .bias = bias_.data(),
              .finish = case_.finish},
             QuantizedOperand(pool, b, case_.inner, case_.columns, case_.left_scale));
    return c_;
  }

  /// From integers by the definition.
  double expected(std::size_t row, std::size_t column) const {
    float a_largest = 0, b_largest = 0;
    for (std::size_t k = 0; k < case_.inner; ++k) {
      a_largest = std::max(a_largest, std::abs(a_[row * case_.inner + k]));
      b_largest = std::max(b_largest, std::abs(b_at(k, column)));
    }
    if (case_.left_scale > 0) a_largest = 127 / case_.left_scale;
    const float a_inverse = a_largest > 0 ? 127 / a_largest : 0;
    const float b_inverse = b_largest > 0 ? 127 / b_largest : 0;
    std::int64_t sum = 0;
    for (std::size_t k = 0; k < case_.inner; ++k) {
      const float x =
          std::clamp(std::nearbyint(a_[row * case_.inner + k] * a_inverse), -127.f, 127.f);
      const float y = std::nearbyint(b_at(k, column) * b_inverse);
      sum += static_cast<std::int64_t>(x) * static_cast<std::int64_t>(y);
    }
    const double value = static_cast<double>(sum) * (a_largest / 127) * (b_largest / 127) +
                         (case_.start != Start::kZero ? bias_[column] : 0);
    return case_.finish == Finish::kRelu ? std::max(value, 0.0) : value;
  }

  std::vector<float>& a() { return a_; }

 private:
  Case case_;
  std::vector<float> a_, b_, bias_, c_;
};

const Case kCases[] = {{1, 1, 1},
                       {1, 32, 64},
                       {3, 33, 5},
                       {14, 64, 128, Order::kColumns},
                       {17, 100, 66, Order::kRows, Start::kBias},
                       {29, 47, 257, Order::kColumns, Start::kBias, Finish::kRelu},
                       {100, 513, 512, Order::kRows, Start::kZero, Finish::kRelu},
                       {17, 100, 66, Order::kRows, Start::kResult},
                       {5, 40, 129, Order::kColumns, Start::kResult, Finish::kRelu},
                       // Of numbers in [-1, 1], some are limited, or none.
                       {17, 100, 66, Order::kRows, Start::kBias, Finish::kNone, 256},
                       {5, 40, 129, Order::kColumns, Start::kZero, Finish::kNone, 64},
                       {3, 20, 33, Order::kColumns, Start::kZero, Finish::kNone, 1e20f}};

}  // namespace

TEST_CASE("sums of 8-bit products are exact", "[int8_product]") {
  ThreadPool pool(2);
  for (const auto& set : instruction_sets()) {
    use_instruction_set(set);
    for (const Case& c : kCases) {
      CAPTURE(set, c.rows, c.columns, c.inner);
      Stage stage(c);
      const auto result = stage.result(pool);
      for (std::size_t i = 0; i < result.size(); ++i) {
        const double expected = stage.expected(i / c.columns, i % c.columns);
        REQUIRE(std::abs(result[i] - expected) <= 1e-6 * std::max(1.0, std::abs(expected)));
      }
    }
  }
  use_instruction_set("");
}

TEST_CASE("a row of an 8-bit product depends neither on other rows nor on threads",
          "[int8_product]") {
  const Case all{300, 70, 96, Order::kRows, Start::kBias};
  ThreadPool one(1);
  const auto expected = Stage(all).result(one);
  for (const unsigned threads : {1u, 2u, 3u, 4u}) {
    ThreadPool pool(threads);
    for (const std::size_t rows : {1, 2, 13, 14, 15, 64, 300}) {
      CAPTURE(threads, rows);
      Case part = all;
      part.rows = rows;
      const auto result = Stage(part).result(pool);
      REQUIRE(std::equal(result.begin(), result.end(), expected.begin()));
    }
  }
}

TEST_CASE("an operand that is stored as integers is that of the widened numbers",
          "[int8_product]") {
  ThreadPool pool(2);
  constexpr std::size_t kRows = 37, kColumns = 70;
  const auto scales = uniform_floats(kRows, 4);
  std::vector<std::int8_t> integers(kRows * kColumns);
  std::vector<float> widened(integers.size());
  for (std::size_t i = 0; i < integers.size(); ++i) {
    integers[i] = static_cast<std::int8_t>(static_cast<int>(i * 91 % 255) - 127);
    widened[i] = scales[i / kColumns] * static_cast<float>(integers[i]);
  }
  const Int8Matrix matrix{integers.data(), scales.data(), kColumns};
  for (const auto& set : instruction_sets()) {
    use_instruction_set(set);
    for (const Order order : {Order::kRows, Order::kColumns}) {
      const bool by_rows = order == Order::kRows;
      CAPTURE(set, by_rows);
      const std::size_t inner = by_rows ? kRows : kColumns, columns = by_rows ? kColumns : kRows;
      const std::size_t padded = columns + 3;  // which are zero
      const QuantizedOperand whole(pool, Operand{widened.data(), kColumns, order, columns}, inner,
                                   padded);
      const QuantizedOperand narrow(pool, Int8Operand{matrix, order, columns}, inner, padded);
      REQUIRE(narrow.scales() == whole.scales());
      REQUIRE(narrow.starts() == whole.starts());
      const auto a = uniform_floats(5 * inner, 5);
      std::vector<float> results[2] = {std::vector<float>(5 * padded),
                                       std::vector<float>(5 * padded)};
      const Product product{.rows = 5,
                            .columns = padded,
                            .inner = inner,
                            .a = {a.data(), inner},
                            .b = {},
                            .c = nullptr};
      for (const auto* operand : {&whole, &narrow}) {
        auto own = product;
        own.c = results[operand == &narrow ? 1 : 0].data();
        multiply(pool, own, *operand);
      }
      REQUIRE(results[0] == results[1]);
      REQUIRE(std::ranges::count(results[0], 0.0F) >= 3 * 5);
    }
  }
  use_instruction_set("");
}

TEST_CASE("instruction sets give the same 8-bit products", "[int8_product]") {
  ThreadPool pool(1);
  const Case c{31, 75, 130, Order::kColumns, Start::kZero};
  const auto expected = Stage(c).result(pool);
  for (const auto& set : instruction_sets()) {
    use_instruction_set(set);
    CAPTURE(set);
    REQUIRE(Stage(c).result(pool) == expected);
  }
  use_instruction_set("");
}

TEST_CASE("AMX gives the same sums of bytes as VNNI", "[int8_product]") {
  if (!has_amx_int8() || !has_vnni()) SKIP("the processor has no AMX");
  std::mt19937 random(1);
  std::uniform_int_distribution<int> byte(0, 255);
  const auto bytes = [&](std::size_t count) {
    std::vector<std::byte> values(count + 64);
    for (std::byte& value : values) value = static_cast<std::byte>(byte(random));
    return values;
  };
  for (const std::size_t inner : {64, 256, 512}) {
    const auto a = bytes(kInt8AmxRows * inner), b = bytes(kVnniColumns * inner);
    const auto misaligned = reinterpret_cast<std::uintptr_t>(b.data()) % 64;
    std::vector<std::int32_t> starts(kVnniColumns);
    for (std::int32_t& start : starts) start = byte(random) * -12'345;
    for (const std::size_t rows : {1, 4, 5, 8, 14, 16, 17, 31, 32}) {
      CAPTURE(inner, rows);
      Int8Tile tile{.rows = rows,
                    .groups = inner / 4,
                    .a = a.data(),
                    .a_stride_bytes = inner,
                    .b = b.data() + (misaligned > 0 ? 64 - misaligned : 0),
                    .starts = starts.data(),
                    .sums = nullptr};
      const auto sums_of = [&](void (*sum)(const Int8Tile&)) {
        std::vector<std::int32_t> sums(kInt8AmxRows * kVnniColumns);
        tile.sums = sums.data();
        sum(tile);
        sums.resize(rows * kVnniColumns);
        return sums;
      };
      std::vector<std::int32_t> expected;
      for (std::size_t first = 0; first < rows; first += kVnniRows) {
        tile.rows = std::min(kVnniRows, rows - first);
        tile.a = a.data() + first * inner;
        const auto part = sums_of(sum_vnni);
        expected.insert(expected.end(), part.begin(),
                        part.begin() + static_cast<std::ptrdiff_t>(tile.rows * kVnniColumns));
      }
      tile.rows = rows, tile.a = a.data();
      const AmxRegisters registers;
      REQUIRE(sums_of(sum_amx) == expected);
    }
  }
}

TEST_CASE("a row of zeros has a product of zeros", "[int8_product]") {
  ThreadPool pool(1);
  Stage stage({2, 3, 8});
  std::fill_n(stage.a().begin(), 8, 0.0F);
  const auto result = stage.result(pool);
  REQUIRE(std::vector<float>(result.begin(), result.begin() + 3) == std::vector<float>(3, 0.0F));
}

}  // namespace awend::host
