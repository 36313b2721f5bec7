// Functions of rows and flat buffers on the CPU: the bytes depend neither on threads nor on other
// rows, and dropout has the random words of base/random.hpp.  The values are compared with the
// reference in tests/kernels.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "host/activation.hpp"
#include "host/adam.hpp"
#include "host/column_sum.hpp"
#include "host/embedding.hpp"
#include "host/layer_norm.hpp"
#include "host/loss.hpp"
#include "host/residual.hpp"
#include "tests/unit/host/sets.hpp"

namespace awend::host {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr std::size_t kMaxRows = 300;

Dropout some_dropout() {
  return {.seed_low = 1, .seed_high = 2, .step = 3, .site = 4, .threshold = 1U << 30, .scale = 2};
}

/// A function of rows: its results for the first `rows` of at most kMaxRows rows.
struct RowFunction {
  std::string name;
  std::function<std::vector<float>(ThreadPool& pool, std::size_t rows, std::size_t columns)> run;
};

std::vector<float> input(std::size_t columns, std::uint32_t seed) {
  return uniform_floats(kMaxRows * columns, seed);
}

std::vector<float> result(std::size_t rows, std::size_t columns) {
  return std::vector(rows * columns, kNaN);
}

std::vector<std::uint32_t> numbers(std::size_t bound) {
  std::vector<std::uint32_t> numbers(kMaxRows);
  for (std::size_t i = 0; i < kMaxRows; ++i) numbers[i] = static_cast<std::uint32_t>(7 * i % bound);
  return numbers;
}

const std::vector<RowFunction>& row_functions() {
  static const std::vector<RowFunction> functions = {
      {"residual",
       [](ThreadPool& pool, std::size_t rows, std::size_t columns) {
         const auto x = input(columns, 1), a = input(columns, 2);
         auto y = result(rows, columns);
         residual(pool, {.rows = rows,
                         .columns = columns,
                         .first = 5,
                         .dropout = some_dropout(),
                         .x = x.data(),
                         .a = a.data(),
                         .y = y.data()});
         return y;
       }},
      {"residual_backward",
       [](ThreadPool& pool, std::size_t rows, std::size_t columns) {
         const auto dy = input(columns, 1);
         auto dx = result(rows, columns), da = input(columns, 2);
         da.resize(dx.size());
         residual_backward(pool, {.rows = rows,
                                  .columns = columns,
                                  .first = 5,
                                  .dropout = some_dropout(),
                                  .dy = dy.data(),
                                  .dx = dx.data(),
                                  .da = da.data(),
                                  .store_x = Store::kWrite,
                                  .store_a = Store::kAdd});
         return da;
       }},
      {"embedding",
       [](ThreadPool& pool, std::size_t rows, std::size_t columns) {
         const auto table = input(columns, 1), positions = input(columns, 2);
         const auto ids = numbers(50), places = numbers(40);
         auto y = result(rows, columns);
         embedding(pool, {.rows = rows,
                          .columns = columns,
                          .first = 5,
                          .dropout = some_dropout(),
                          .multiplier = 3,
                          .ids = ids.data(),
                          .no_token = 14,
                          .places = places.data(),
                          .table = table.data(),
                          .positions = positions.data(),
                          .y = y.data()});
         return y;
       }},
      {"activate",
       [](ThreadPool& pool, std::size_t rows, std::size_t columns) {
         const auto z = input(columns, 1);
         std::vector<float> all;
         for (const auto function :
              {Function::kGelu, Function::kSwish, Function::kSigmoid, Function::kTanh}) {
           auto y = result(rows, columns);
           activate(pool, {rows, columns, function, z.data(), y.data()});
           activate_backward(pool,
                             {rows, columns, function, z.data(), z.data(), y.data(), Store::kAdd});
           for (std::size_t i = 0; i < y.size(); ++i) {
             if (all.size() < y.size()) all.resize(y.size());
             // A power of two, because a compiler may fuse the product with the sum.
             all[i] += static_cast<float>(1 << static_cast<int>(function)) * y[i];
           }
         }
         return all;
       }},
      {"layer_norm_backward",
       [](ThreadPool& pool, std::size_t rows, std::size_t columns) {
         const auto x = input(columns, 1), gain = input(columns, 2), dy = input(columns, 3);
         auto y = result(rows, columns), moments = result(rows, 2), dx = result(rows, columns);
         layer_norm(pool, {.rows = rows,
                           .columns = columns,
                           .epsilon = 1e-6F,
                           .x = x.data(),
                           .gain = gain.data(),
                           .bias = gain.data(),
                           .y = y.data(),
                           .moments = moments.data()});
         layer_norm_backward(pool, {.rows = rows,
                                    .columns = columns,
                                    .x = x.data(),
                                    .gain = gain.data(),
                                    .dy = dy.data(),
                                    .moments = moments.data(),
                                    .dx = dx.data(),
                                    .store = Store::kWrite});
         return dx;
       }},
      {"loss",
       [](ThreadPool& pool, std::size_t rows, std::size_t columns) {
         auto logits = input(columns, 1);
         logits.resize(rows * columns);
         // Padding is never read.
         const std::size_t vocabulary = columns - 3;
         for (std::size_t row = 0; row < rows; ++row)
           std::fill_n(logits.data() + row * columns + vocabulary, 3, kNaN);
         const auto targets = numbers(vocabulary);
         auto losses = result(rows, 2);
         loss(pool, {.rows = rows,
                     .columns = columns,
                     .vocabulary = vocabulary,
                     .smoothing = 0.1F,
                     .scale = 2,
                     .gradient = LossGradient::kReplacesLogits,
                     .targets = targets.data(),
                     .logits = logits.data(),
                     .losses = losses.data()});
         for (std::size_t row = 0; row < rows; ++row) logits[row * columns] += losses[2 * row];
         return logits;
       }},
  };
  return functions;
}

TEST_CASE("a row has the same bytes with any instruction set, threads and other rows") {
  for (const RowFunction& function : row_functions()) {
    for (const std::size_t columns : {4, 20, 36, 512}) {
      CAPTURE(function.name, columns);
      result_of_all([&](ThreadPool& pool) { return function.run(pool, kMaxRows, columns); });
      ThreadPool pool(2);
      const auto best = function.run(pool, kMaxRows, columns);
      REQUIRE(std::none_of(best.begin(), best.end(), [](float v) { return std::isnan(v); }));
      for (const std::size_t rows : {1, 2, 63, 64, 65, 299}) {
        CAPTURE(rows);
        const auto part = function.run(pool, rows, columns);
        REQUIRE(same_bits(part, {best.begin(), best.begin() + static_cast<long>(rows * columns)}));
      }
    }
  }
}

TEST_CASE("sums without fused multiply-add have the same bytes with every instruction set") {
  for (const std::size_t columns : {4, 8, 12, 20, 36, 512}) {
    constexpr std::size_t kRows = 9;
    CAPTURE(columns);
    const auto x = uniform_floats(kRows * columns, 1), gain = uniform_floats(columns, 2);
    std::vector<float> first;
    for (const auto set : instruction_sets()) {
      CAPTURE(set);
      use_instruction_set(set);
      ThreadPool pool(1);
      auto y = result(kRows, columns), moments = result(kRows, 2);
      layer_norm(pool, {.rows = kRows,
                        .columns = columns,
                        .epsilon = 1e-6F,
                        .x = x.data(),
                        .gain = gain.data(),
                        .bias = gain.data(),
                        .y = y.data(),
                        .moments = moments.data()});
      if (first.empty()) first = moments;
      CHECK(same_bits(moments, first));
    }
    use_instruction_set("");
  }
}

TEST_CASE("dropout has the random words of base::philox") {
  const Dropout dropout = some_dropout();
  result_of_all([&](ThreadPool& pool) {
    std::vector<float> all;
    for (const std::size_t columns : {4, 12, 20, 64, 68}) {
      constexpr std::size_t kRows = 3, kFirst = 11;
      const std::vector<float> a(kRows * columns, 1);
      auto y = result(kRows, columns);
      residual(pool, {.rows = kRows,
                      .columns = columns,
                      .first = kFirst,
                      .dropout = dropout,
                      .x = nullptr,
                      .a = a.data(),
                      .y = y.data()});
      for (std::size_t i = 0; i < y.size(); ++i) {
        const auto index = static_cast<std::uint32_t>((kFirst * columns + i) / 4);
        const auto words = base::philox({index, dropout.site, dropout.step, 0},
                                        {dropout.seed_low, dropout.seed_high});
        CAPTURE(columns, i);
        REQUIRE(y[i] == (words[i % 4] < dropout.threshold ? 0 : dropout.scale));
      }
      all.insert(all.end(), y.begin(), y.end());
    }
    return all;
  });
}

TEST_CASE("activation functions are exact to seven digits, and keep NaN") {
  constexpr std::size_t kCount = 4000;
  result_of_all([&](ThreadPool& pool) {
    std::vector<float> z(kCount);
    for (std::size_t i = 0; i < kCount; ++i) z[i] = (static_cast<float>(i) - 2000) / 16;
    z[0] = -std::numeric_limits<float>::infinity();
    z[1] = std::numeric_limits<float>::infinity();
    z[2] = kNaN;
    auto y = result(1, kCount);
    activate(pool, {1, kCount, Function::kSigmoid, z.data(), y.data()});
    REQUIRE(y[0] <= 1e-38F);
    REQUIRE(y[1] == 1);
    REQUIRE(std::isnan(y[2]));
    for (std::size_t i = 3; i < kCount; ++i) {
      const double expected = 1 / (1 + std::exp(-double{z[i]}));
      CAPTURE(z[i], y[i], expected);
      REQUIRE(std::abs(y[i] - expected) <= 3e-7 * expected + 1e-37);
    }
    for (const auto function : {Function::kGelu, Function::kSwish, Function::kTanh}) {
      activate(pool, {1, kCount, function, z.data(), y.data()});
      REQUIRE(std::isnan(y[2]));
      REQUIRE(std::none_of(y.begin() + 3, y.end(), [](float v) { return std::isnan(v); }));
    }
    y[2] = 0;  // The bits of NaN may differ.
    return y;
  });
}

TEST_CASE("sums over rows have the same bytes with any instruction set and threads") {
  for (const std::size_t columns : {4, 20, 512}) {
    for (const std::size_t rows : {1, 64, 65, 300}) {
      CAPTURE(columns, rows);
      const auto dy = input(columns, 1), x = input(columns, 2), moments = input(2, 3);
      const std::size_t blocks = (rows + 63) / 64;
      result_of_all([&](ThreadPool& pool) {
        auto partial = result(blocks, columns), both = result(blocks, 2 * columns);
        column_sum(pool, ColumnSum{.rows = rows,
                                   .columns = columns,
                                   .block = 64,
                                   .dy = dy.data(),
                                   .partial = partial.data()});
        column_sum(pool, ColumnSumNorm{.rows = rows,
                                       .columns = columns,
                                       .block = 64,
                                       .dy = dy.data(),
                                       .x = x.data(),
                                       .moments = moments.data(),
                                       .partial = both.data()});
        std::vector<float> gradient(columns, 1), other(columns, 2);
        column_sum({.blocks = blocks,
                    .columns = columns,
                    .stride = columns,
                    .partial = partial.data(),
                    .gradient = gradient.data()});
        column_sum({.blocks = blocks,
                    .columns = columns,
                    .stride = 2 * columns,
                    .partial = both.data() + columns,
                    .gradient = other.data()});
        gradient.insert(gradient.end(), other.begin(), other.end());
        return gradient;
      });
    }
  }
}

TEST_CASE("the gradient of a table has the same bytes with any instruction set and threads") {
  for (const std::size_t columns : {4, 20, 600}) {
    const auto dy = input(columns, 1);
    // Segments of 1 to 24 rows, of ids that fall.
    std::vector<std::uint32_t> ids, begins = {0}, rows = numbers(kMaxRows);
    for (std::uint32_t i = 1; i <= 24; ++i) {
      ids.push_back(24 - i);
      begins.push_back(begins.back() + i);
    }
    result_of_all([&](ThreadPool& pool) {
      std::vector<float> gradient(24 * columns, 1);
      embedding_backward(pool, {.segments = ids.size(),
                                .columns = columns,
                                .first = 5,
                                .dropout = some_dropout(),
                                .multiplier = 3,
                                .ids = ids.data(),
                                .begins = begins.data(),
                                .sorted_rows = rows.data(),
                                .dy = dy.data(),
                                .gradient = gradient.data()});
      return gradient;
    });
  }
}

TEST_CASE("the optimizer has the same bytes with any instruction set and threads") {
  constexpr std::size_t kCount = 100'004;
  result_of_all([&](ThreadPool& pool) {
    auto x = uniform_floats(kCount, 1), gradients = uniform_floats(kCount, 2);
    auto m = uniform_floats(kCount, 3), v = uniform_floats(kCount, 4);
    for (float& value : v) value *= value;
    auto average = uniform_floats(kCount, 5);
    std::vector<float> partials(14);
    square_sum(
        pool,
        {.count = kCount, .groups = 7, .values = gradients.data(), .partials = partials.data()});
    adam(pool, {.count = kCount,
                .beta1 = 0.9F,
                .beta2 = 0.98F,
                .epsilon = 1e-9F,
                .shrink = 0.5F,
                .rate = 0.01F,
                .decay = 0.1F,
                .correction1 = 2,
                .correction2 = 3,
                .x = x.data(),
                .gradients = gradients.data(),
                .m = m.data(),
                .v = v.data()});
    moving_average(pool,
                   {.count = kCount, .share = 0.1F, .x = x.data(), .average = average.data()});
    float total[2];
    row_sum(partials.data(), 7, total);
    REQUIRE(total[1] == 0);
    REQUIRE(std::all_of(gradients.begin(), gradients.end(), [](float g) { return g == 0; }));
    x.insert(x.end(), average.begin(), average.end());
    x.push_back(total[0]);
    return x;
  });
}

}  // namespace
}  // namespace awend::host
