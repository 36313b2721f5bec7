// Products on the CPU against plain loops, for every instruction set of this machine.
#include "host/product.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "host/bfloat16_product.hpp"
#include "tests/catch.hpp"
#include "tests/unit/host/sets.hpp"

namespace awend::host {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

struct Case {
  std::size_t rows, columns, inner;
  Order a_order = Order::kRows;
  Order b_order = Order::kRows;
  Start start = Start::kZero;
  Finish finish = Finish::kNone;
};

/// Operands of a case, surrounded by NaN, which would spread if it was read.
class Stage {
 public:
  explicit Stage(const Case& c) : case_(c) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> uniform(-1, 1);
    for (auto* values : {&a_, &b_, &bias_, &start_}) {
      const std::size_t size = values == &a_      ? c.rows * c.inner
                               : values == &b_    ? c.inner * c.columns
                               : values == &bias_ ? c.columns
                                                  : c.rows * c.columns;
      values->assign(size + 2 * kMargin, kNaN);
      for (std::size_t i = 0; i < size; ++i) (*values)[kMargin + i] = uniform(random);
    }
  }

  Product product() {
    result_ = case_.start == Start::kResult ? start_ : std::vector<float>(start_.size(), kNaN);
    const Operand a{a_.data() + kMargin, case_.a_order == Order::kRows ? case_.inner : case_.rows,
                    case_.a_order};
    const Operand b{b_.data() + kMargin,
                    case_.b_order == Order::kRows ? case_.columns : case_.inner, case_.b_order};
    return {.rows = case_.rows,
            .columns = case_.columns,
            .inner = case_.inner,
            .a = a,
            .b = b,
            .c = result_.data() + kMargin,
            .start = case_.start,
            .bias = bias_.data() + kMargin,
            .finish = case_.finish};
  }

  std::vector<float> result(ThreadPool& pool) {
    multiply(pool, product());
    return inside();
  }

  std::vector<float> packed_result(ThreadPool& pool) {
    const Product whole = product();
    const PackedOperand packed(whole.b, whole.inner, whole.columns);
    Product without_b = whole;
    without_b.b.values = nullptr;
    multiply(pool, without_b, packed);
    return inside();
  }

  /// The expected element and a bound for its rounding error.
  std::pair<double, double> expected(std::size_t row, std::size_t column) const {
    const std::size_t at = row * case_.columns + column;
    double sum = case_.start == Start::kZero     ? 0
                 : case_.start == Start::kResult ? start_[kMargin + at]
                                                 : bias_[kMargin + column];
    double magnitude = std::abs(sum);
    for (std::size_t k = 0; k < case_.inner; ++k) {
      const double a = a_[kMargin + (case_.a_order == Order::kRows ? row * case_.inner + k
                                                                   : k * case_.rows + row)];
      const double b = b_[kMargin + (case_.b_order == Order::kRows ? k * case_.columns + column
                                                                   : column * case_.inner + k)];
      sum += a * b;
      magnitude += std::abs(a * b);
    }
    if (case_.finish == Finish::kRelu) sum = std::max(sum, 0.0);
    const auto steps = static_cast<double>(case_.inner + 2);
    return {sum, magnitude * steps * std::numeric_limits<float>::epsilon()};
  }

 private:
  static constexpr std::size_t kMargin = 64;

  std::vector<float> inside() const {
    for (std::size_t i = 0; i < kMargin; ++i) {
      REQUIRE(std::isnan(result_[i]));
      REQUIRE(std::isnan(result_[result_.size() - 1 - i]));
    }
    return {result_.begin() + kMargin, result_.end() - kMargin};
  }

  Case case_;
  std::vector<float> a_, b_, bias_, start_, result_;
};

/// Runs the body for each instruction set of this machine.
template <class Body>
void for_each_set(const Body& body) {
  for (const auto set : instruction_sets()) {
    CAPTURE(set);
    use_instruction_set(set);
    body();
  }
  use_instruction_set("");
}

TEST_CASE("products agree with plain loops") {
  ThreadPool pool(2);
  const std::size_t sizes[] = {1, 5, 14, 33, 129};
  for_each_set([&] {
    for (const std::size_t rows : sizes) {
      for (const std::size_t columns : sizes) {
        for (const std::size_t inner : {std::size_t{1}, std::size_t{31}, std::size_t{300}}) {
          for (const auto& [a, b] : {std::pair{Order::kRows, Order::kRows},
                                     {Order::kRows, Order::kColumns},
                                     {Order::kColumns, Order::kRows}}) {
            const Case c{rows, columns, inner, a, b};
            CAPTURE(rows, columns, inner);
            Stage stage(c);
            const auto result = stage.result(pool);
            std::size_t wrong = 0;
            for (std::size_t i = 0; i < rows; ++i) {
              for (std::size_t j = 0; j < columns; ++j) {
                const auto [value, bound] = stage.expected(i, j);
                wrong += !(std::abs(result[i * columns + j] - value) <= bound);
              }
            }
            REQUIRE(wrong == 0);
            REQUIRE(same_bits(result, stage.packed_result(pool)));
          }
        }
      }
    }
  });
}

TEST_CASE("products larger than the blocks of the algorithm, on several threads") {
  ThreadPool pool(3);
  for_each_set([&] {
    Stage stage({.rows = 500, .columns = 2100, .inner = 700});
    const auto result = stage.result(pool);
    for (std::size_t i = 0; i < result.size(); i += 997) {
      const auto [value, bound] = stage.expected(i / 2100, i % 2100);
      REQUIRE(std::abs(result[i] - value) <= bound);
    }
    REQUIRE(same_bits(result, stage.packed_result(pool)));
  });
}

TEST_CASE("a result starts with zero, itself or the bias, and ends with a rectifier") {
  ThreadPool pool(1);
  for_each_set([&] {
    for (const auto start : {Start::kZero, Start::kResult, Start::kBias}) {
      for (const auto finish : {Finish::kNone, Finish::kRelu}) {
        for (const std::size_t inner : {std::size_t{0}, std::size_t{40}, std::size_t{600}}) {
          Stage stage(
              {.rows = 17, .columns = 45, .inner = inner, .start = start, .finish = finish});
          const auto result = stage.result(pool);
          for (std::size_t i = 0; i < result.size(); ++i) {
            const auto [value, bound] = stage.expected(i / 45, i % 45);
            REQUIRE(std::abs(result[i] - value) <= bound);
          }
        }
      }
    }
  });
}

TEST_CASE("what is not a number stays in its row, and passes the rectifier") {
  ThreadPool pool(1);
  for_each_set([&] {
    std::vector<float> a(20 * 8, 1), b(8 * 40, -1), c(20 * 40);
    a[3 * 8 + 5] = kNaN;
    multiply(pool, {.rows = 20,
                    .columns = 40,
                    .inner = 8,
                    .a = {a.data(), 8},
                    .b = {b.data(), 40},
                    .c = c.data(),
                    .finish = Finish::kRelu});
    for (std::size_t i = 0; i < c.size(); ++i) {
      if (i / 40 == 3) {
        REQUIRE(std::isnan(c[i]));
      } else {
        REQUIRE(c[i] == 0);
      }
    }
  });
}

TEST_CASE("columns that a right operand does not store are zero") {
  constexpr std::size_t kColumns = 70, kInner = 300, kStored = 67;
  std::vector<float> a(3 * kInner), stored(kStored * kInner);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = std::sin(static_cast<float>(i));
  for (std::size_t i = 0; i < stored.size(); ++i) stored[i] = std::cos(static_cast<float>(i));
  auto padded = stored;
  padded.resize(kColumns * kInner);
  ThreadPool pool(1);
  for_each_set([&] {
    std::vector<float> expected(3 * kColumns), c(3 * kColumns, kNaN);
    Product product{.rows = 3,
                    .columns = kColumns,
                    .inner = kInner,
                    .a = {a.data(), kInner},
                    .b = {padded.data(), kInner, Order::kColumns},
                    .c = expected.data()};
    multiply(pool, product);
    product.b = {stored.data(), kInner, Order::kColumns, kStored};
    product.c = c.data();
    multiply(pool, product);
    REQUIRE(same_bits(c, expected));
    std::ranges::fill(c, kNaN);
    multiply(pool, product, PackedOperand(product.b, kInner, kColumns));
    REQUIRE(same_bits(c, expected));
    if (bfloat16_unit() == Bfloat16Unit::kNone) return;
    product.b = {padded.data(), kInner, Order::kColumns};
    product.c = expected.data();
    multiply_bfloat16(pool, product);
    product.b = {stored.data(), kInner, Order::kColumns, kStored};
    product.c = c.data();
    multiply_bfloat16(pool, product);
    REQUIRE(same_bits(c, expected));
  });
}

TEST_CASE("a row depends neither on the number of rows nor on the number of threads") {
  constexpr std::size_t kColumns = 132, kInner = 388, kRows = 300;
  std::vector<std::unique_ptr<ThreadPool>> pools;
  for (const unsigned threads : {1u, 2u, 3u, 4u})
    pools.push_back(std::make_unique<ThreadPool>(threads));
  for_each_set([&] {
    Stage stage({.rows = kRows, .columns = kColumns, .inner = kInner});
    const auto all = stage.result(*pools[0]);
    for (std::size_t rows = 1; rows <= kRows; ++rows) {
      auto& pool = *pools[rows % pools.size()];
      Product part = stage.product();
      part.rows = rows;
      multiply(pool, part);
      REQUIRE(std::memcmp(part.c, all.data(), sizeof(float) * rows * kColumns) == 0);
    }
    for (auto& pool : pools) REQUIRE(same_bits(stage.result(*pool), all));
  });
}

TEST_CASE("instruction sets with fused multiply-add give the same bits") {
  ThreadPool pool(1);
  Stage stage({.rows = 40, .columns = 70, .inner = 500});
  std::vector<float> first;
  std::string compared;
  for_each_set([&] {
    const auto set = instruction_set();
    const bool has_fma = set.starts_with("AVX") || set.starts_with("NEON");
    if (!has_fma) return;
    const auto result = stage.result(pool);
    if (first.empty()) first = result;
    compared += std::string(set) + " ";
    REQUIRE(same_bits(result, first));
  });
  INFO("compared: " << compared);
}

}  // namespace
}  // namespace awend::host
