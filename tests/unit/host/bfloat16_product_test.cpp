// Products of bf16 against sums of doubles, for every unit of this machine.
#include "host/bfloat16_product.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/unit/host/sets.hpp"

namespace awend::host {
namespace {

struct Case {
  std::size_t rows, columns, inner;
  Order a_order = Order::kRows, b_order = Order::kRows;
  Start start = Start::kZero;
  Finish finish = Finish::kNone;
};

/// To the nearest number of 8 bits of mantissa, the even one of two.
float rounded(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return std::bit_cast<float>((bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000U);
}

class Stage {
 public:
  explicit Stage(const Case& c)
      : case_(c),
        a_(uniform_floats(c.rows * c.inner, 1)),
        b_(uniform_floats(c.inner * c.columns, 2)),
        bias_(uniform_floats(c.columns, 3)),
        before_(uniform_floats(c.rows * c.columns, 4)) {}

  Product product(std::vector<float>& c) const {
    return {
        .rows = case_.rows,
        .columns = case_.columns,
        .inner = case_.inner,
        .a = {a_.data(), case_.a_order == Order::kRows ? case_.inner : case_.rows, case_.a_order},
        .b = b(),
        .c = c.data(),
        .start = case_.start,
        .bias = bias_.data(),
        .finish = case_.finish};
  }
  Operand b() const {
    const bool by_rows = case_.b_order == Order::kRows;
    return {b_.data(), by_rows ? case_.columns : case_.inner, case_.b_order};
  }

  std::vector<float> result(ThreadPool& pool) const {
    std::vector<float> c = before_;
    multiply_bfloat16(pool, product(c));
    return c;
  }
  std::vector<float> result_of_packed(ThreadPool& pool) const {
    std::vector<float> c = before_;
    multiply(pool, product(c), Bfloat16Operand(pool, b(), case_.inner, case_.columns));
    return c;
  }

  double expected(std::size_t row, std::size_t column) const {
    double sum = case_.start == Start::kBias     ? bias_[column]
                 : case_.start == Start::kResult ? before_[row * case_.columns + column]
                                                 : 0;
    for (std::size_t k = 0; k < case_.inner; ++k) {
      const float x =
          a_[case_.a_order == Order::kRows ? row * case_.inner + k : k * case_.rows + row];
      const float y =
          b_[case_.b_order == Order::kRows ? k * case_.columns + column : column * case_.inner + k];
      sum += static_cast<double>(rounded(x)) * rounded(y);
    }
    return case_.finish == Finish::kRelu ? std::max(sum, 0.0) : sum;
  }

  std::vector<float>& a() { return a_; }

 private:
  Case case_;
  std::vector<float> a_, b_, bias_, before_;
};

const Case kCases[] = {
    {1, 1, 1},
    {1, 32, 64},
    {3, 33, 5},
    {14, 64, 128, Order::kRows, Order::kColumns},
    {33, 31, 17, Order::kColumns, Order::kRows, Start::kResult},
    {17, 100, 66, Order::kRows, Order::kRows, Start::kBias},
    {29, 47, 257, Order::kRows, Order::kColumns, Start::kBias, Finish::kRelu},
    {128, 96, 333, Order::kColumns, Order::kRows},
    {70, 65, 34, Order::kColumns, Order::kColumns, Start::kResult, Finish::kRelu},
    {100, 513, 512, Order::kRows, Order::kRows, Start::kZero, Finish::kRelu}};

/// Calls `body` with each unit of this processor; skips without one.
template <class Body>
void with_each_unit(const Body& body) {
  if (bfloat16_unit() == Bfloat16Unit::kNone) SKIP("the processor has no instructions for bf16");
  const Bfloat16Unit best = bfloat16_unit();
  for (const auto unit : {Bfloat16Unit::kAvx512, Bfloat16Unit::kAmx}) {
    if (!has(unit)) continue;
    use_bfloat16_unit(unit);
    CAPTURE(name_of(unit));
    body();
  }
  use_bfloat16_unit(best);
}

}  // namespace

TEST_CASE("products of bf16 equal sums of rounded operands", "[bfloat16_product]") {
  ThreadPool pool(2);
  with_each_unit([&] {
    for (const Case& c : kCases) {
      CAPTURE(c.rows, c.columns, c.inner);
      const Stage stage(c);
      const auto result = stage.result(pool);
      REQUIRE(stage.result_of_packed(pool) == result);
      for (std::size_t i = 0; i < result.size(); ++i) {
        const double expected = stage.expected(i / c.columns, i % c.columns);
        REQUIRE(std::abs(result[i] - expected) <= 2e-5 * std::max(1.0, std::abs(expected)));
      }
    }
  });
}

TEST_CASE("a row of a product of bf16 depends neither on other rows nor on threads",
          "[bfloat16_product]") {
  const Case all{300, 70, 96, Order::kRows, Order::kRows, Start::kBias};
  with_each_unit([&] {
    ThreadPool one(1);
    const auto expected = Stage(all).result(one);
    for (const unsigned threads : {1u, 2u, 3u, 4u}) {
      ThreadPool pool(threads);
      for (const std::size_t rows : {1, 2, 13, 16, 31, 33, 300}) {
        CAPTURE(threads, rows);
        Case part = all;
        part.rows = rows;
        const auto result = Stage(part).result(pool);
        REQUIRE(std::equal(result.begin(), result.end(), expected.begin()));
      }
    }
  });
}

TEST_CASE("what is not finite remains so in products of bf16", "[bfloat16_product]") {
  ThreadPool pool(1);
  with_each_unit([&] {
    Stage stage({2, 3, 40, Order::kRows, Order::kRows, Start::kZero, Finish::kRelu});
    stage.a()[5] = std::numeric_limits<float>::quiet_NaN();
    const auto result = stage.result(pool);
    REQUIRE(std::all_of(result.begin(), result.begin() + 3, [](float x) { return std::isnan(x); }));
    REQUIRE(std::none_of(result.begin() + 3, result.end(), [](float x) { return std::isnan(x); }));
  });
}

}  // namespace awend::host
