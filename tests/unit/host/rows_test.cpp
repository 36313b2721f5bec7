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
#include "shaders/op_activation.h"
#include "shaders/op_column_sum.h"
#include "shaders/op_embedding.h"
#include "shaders/op_embedding_backward.h"
#include "shaders/op_fake_quantize.h"
#include "shaders/op_gated_activation.h"
#include "shaders/op_layer_norm.h"
#include "shaders/op_loss.h"
#include "shaders/op_maxout.h"
#include "shaders/op_residual.h"
#include "shaders/op_rms_norm.h"
#include "tests/unit/host/sets.hpp"

namespace awend::host {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr std::size_t kMaxRows = 300;

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
         const StepScalars scalars = some_scalars();
         const auto x = input(columns, 1), a = input(columns, 2);
         auto y = result(rows, columns);
         residual(pool, {.step = &scalars,
                         .x = x.data(),
                         .a = a.data(),
                         .y = y.data(),
                         .columns = columns,
                         .has_x = 1,
                         .drops = 1,
                         .rows_count = RowCount(rows, 5),
                         .dropout_id = kDropoutId,
                         .threshold = kThreshold,
                         .scale = kScale});
         return y;
       }},
      {"residual_backward",
       [](ThreadPool& pool, std::size_t rows, std::size_t columns) {
         const StepScalars scalars = some_scalars();
         const auto dy = input(columns, 1);
         auto dx = result(rows, columns), da = input(columns, 2);
         da.resize(dx.size());
         residual_backward(pool, {.step = &scalars,
                                  .dy = dy.data(),
                                  .dx = dx.data(),
                                  .da = da.data(),
                                  .columns = columns,
                                  .has_x = 1,
                                  .add_a = 1,
                                  .drops = 1,
                                  .rows_count = RowCount(rows, 5),
                                  .dropout_id = kDropoutId,
                                  .threshold = kThreshold,
                                  .scale = kScale});
         return da;
       }},
      {"embedding",
       [](ThreadPool& pool, std::size_t rows, std::size_t columns) {
         const StepScalars scalars = some_scalars();
         const auto table = input(columns, 1), positions = input(columns, 2);
         const auto places = numbers(40);
         auto ids = numbers(50);
         std::ranges::replace(ids, 14U, NO_TOKEN);
         auto y = result(rows, columns);
         embedding(pool, {.step = &scalars,
                          .ids = ids.data(),
                          .places = places.data(),
                          .table = table.data(),
                          .positions = positions.data(),
                          .y = y.data(),
                          .columns = columns,
                          .drops = 1,
                          .rows_count = RowCount(rows),
                          .tokens_count = RowCount(rows, 5),
                          .dropout_id = kDropoutId,
                          .threshold = kThreshold,
                          .scale = kScale,
                          .multiplier = 3});
         return y;
       }},
      {"activation",
       [](ThreadPool& pool, std::size_t rows, std::size_t columns) {
         const auto z = input(columns, 1);
         const RowCount count(rows);
         std::vector<float> all;
         float weight = 1;
         for (const std::size_t function :
              {ACTIVATION_GELU, ACTIVATION_SWISH, ACTIVATION_SIGMOID, ACTIVATION_TANH,
               ACTIVATION_GELU_TANH, ACTIVATION_GELU_SIGMOID}) {
           auto y = result(rows, columns);
           activation(pool, {.z = z.data(),
                             .y = y.data(),
                             .columns = columns,
                             .function = function,
                             .rows_count = count});
           activation_backward(pool, {.z = z.data(),
                                      .dy = z.data(),
                                      .dz = y.data(),
                                      .columns = columns,
                                      .function = function,
                                      .add = 1,
                                      .rows_count = count});
           for (std::size_t i = 0; i < y.size(); ++i) {
             if (all.size() < y.size()) all.resize(y.size());
             // A power of two, because a compiler may fuse the product with the sum.
             all[i] += weight * y[i];
           }
           weight *= 2;
         }
         return all;
       }},
      {"gated_activation",
       [](ThreadPool& pool, std::size_t rows, std::size_t columns) {
         const auto z = input(columns, 1), x = input(columns, 2), dy = input(columns, 3);
         const RowCount count(rows);
         auto y = result(rows, columns), dz = result(rows, columns), dx = result(rows, columns);
         gated_activation(pool, {.z = z.data(),
                                 .x = x.data(),
                                 .y = y.data(),
                                 .columns = columns,
                                 .function = ACTIVATION_SWISH,
                                 .rows_count = count});
         gated_activation_backward(pool, {.z = z.data(),
                                          .x = x.data(),
                                          .dy = dy.data(),
                                          .dz = dz.data(),
                                          .dx = dx.data(),
                                          .columns = columns,
                                          .function = ACTIVATION_RELU,
                                          .rows_count = count});
         for (std::size_t i = 0; i < y.size(); ++i) y[i] += dz[i] + 2 * dx[i];
         return y;
       }},
      {"maxout",
       [](ThreadPool& pool, std::size_t rows, std::size_t columns) {
         const auto z = input(2 * columns, 1), dy = input(columns, 2);
         auto y = result(rows, columns), dz = result(rows, 2 * columns);
         maxout(pool, {.z = z.data(),
                       .y = y.data(),
                       .columns = columns,
                       .z_columns = 2 * columns,
                       .rows_count = RowCount(rows)});
         std::ranges::fill(dz, 2.0F);
         maxout_backward(pool, {.z = z.data(),
                                .dy = dy.data(),
                                .dz = dz.data(),
                                .columns = columns,
                                .z_columns = 2 * columns,
                                .add = 1,
                                .rows_count = RowCount(rows)});
         for (std::size_t i = 0; i < y.size(); ++i) y[i] += dz[2 * i] - 2 * dz[2 * i + 1];
         return y;
       }},
      {"layer_norm_backward",
       [](ThreadPool& pool, std::size_t rows, std::size_t columns) {
         const auto x = input(columns, 1), gain = input(columns, 2), dy = input(columns, 3);
         auto y = result(rows, columns), moments = result(rows, 2), dx = result(rows, columns);
         layer_norm(pool, {.x = x.data(),
                           .gain = gain.data(),
                           .bias = gain.data(),
                           .y = y.data(),
                           .moments = moments.data(),
                           .columns = columns,
                           .rows_count = RowCount(rows),
                           .epsilon = 1e-6F});
         layer_norm_backward(pool, {.x = x.data(),
                                    .gain = gain.data(),
                                    .dy = dy.data(),
                                    .moments = moments.data(),
                                    .dx = dx.data(),
                                    .columns = columns,
                                    .rows_count = RowCount(rows)});
         return dx;
       }},
      {"rms_norm_backward",
       [](ThreadPool& pool, std::size_t rows, std::size_t columns) {
         const auto x = input(columns, 1), gain = input(columns, 2), dy = input(columns, 3);
         auto y = result(rows, columns), moments = result(rows, 2), dx = result(rows, columns);
         rms_norm(pool, {.x = x.data(),
                         .gain = gain.data(),
                         .y = y.data(),
                         .moments = moments.data(),
                         .columns = columns,
                         .rows_count = RowCount(rows),
                         .epsilon = 1e-6F});
         rms_norm_backward(pool, {.x = x.data(),
                                  .gain = gain.data(),
                                  .dy = dy.data(),
                                  .moments = moments.data(),
                                  .dx = dx.data(),
                                  .columns = columns,
                                  .rows_count = RowCount(rows)});
         for (std::size_t i = 0; i < dx.size(); ++i) dx[i] += y[i];
         return dx;
       }},
      {"fake_quantize",
       [](ThreadPool& pool, std::size_t rows, std::size_t columns) {
         const auto x = input(columns, 1);
         auto y = result(rows, columns);
         fake_quantize(pool, {.x = x.data(),
                              .y = y.data(),
                              .columns = columns,
                              .rows_count = RowCount(rows),
                              .scale = 150});
         return y;
       }},
      {"fake_quantize_rows",
       [](ThreadPool& pool, std::size_t rows, std::size_t columns) {
         const auto x = input(columns, 1);
         auto y = result(rows, columns), largest = result(rows, 1);
         fake_quantize_rows(
             pool,
             {.x = x.data(), .y = y.data(), .columns = columns, .rows_count = RowCount(rows)});
         row_magnitudes(pool, {.x = x.data(),
                               .y = largest.data(),
                               .columns = columns,
                               .rows_count = RowCount(rows)});
         for (std::size_t row = 0; row < rows; ++row) y[row * columns] += largest[row];
         return y;
       }},
      {"loss",
       [](ThreadPool& pool, std::size_t rows, std::size_t columns) {
         StepScalars scalars{};
         scalars.loss_scale = 2;
         auto logits = input(columns, 1);
         logits.resize(rows * columns);
         // Padding is never read.
         const std::size_t vocabulary = columns - 3;
         for (std::size_t row = 0; row < rows; ++row)
           std::fill_n(logits.data() + row * columns + vocabulary, 3, kNaN);
         const auto targets = numbers(vocabulary);
         auto losses = result(rows, 2);
         loss(pool, {.step = &scalars,
                     .targets = targets.data(),
                     .logits = logits.data(),
                     .losses = losses.data(),
                     .columns = columns,
                     .gradient = 1,
                     .rows_count = RowCount(rows),
                     .vocabulary = vocabulary,
                     .smoothing = 0.1F});
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
      layer_norm(pool, {.x = x.data(),
                        .gain = gain.data(),
                        .bias = gain.data(),
                        .y = y.data(),
                        .moments = moments.data(),
                        .columns = columns,
                        .rows_count = RowCount(kRows),
                        .epsilon = 1e-6F});
      if (first.empty()) first = moments;
      CHECK(same_bits(moments, first));
    }
    use_instruction_set("");
  }
}

TEST_CASE("dropout has the random words of base::philox") {
  const StepScalars scalars = some_scalars();
  result_of_all([&](ThreadPool& pool) {
    std::vector<float> all;
    for (const std::size_t columns : {4, 12, 20, 64, 68}) {
      constexpr std::size_t kRows = 3, kFirst = 11;
      const std::vector<float> a(kRows * columns, 1);
      auto y = result(kRows, columns);
      residual(pool, {.step = &scalars,
                      .a = a.data(),
                      .y = y.data(),
                      .columns = columns,
                      .drops = 1,
                      .rows_count = RowCount(kRows, kFirst),
                      .dropout_id = kDropoutId,
                      .threshold = kThreshold,
                      .scale = kScale});
      for (std::size_t i = 0; i < y.size(); ++i) {
        const auto index = static_cast<std::uint32_t>((kFirst * columns + i) / 4);
        const auto words = base::philox({index, kDropoutId, scalars.step, 0},
                                        {scalars.seed_low, scalars.seed_high});
        CAPTURE(columns, i);
        REQUIRE(y[i] == (words[i % 4] < kThreshold ? 0 : kScale));
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
    const auto activate = [&](std::size_t function) {
      activation(pool, {.z = z.data(),
                        .y = y.data(),
                        .columns = kCount,
                        .function = function,
                        .rows_count = RowCount(1)});
    };
    activate(ACTIVATION_SIGMOID);
    REQUIRE(y[0] <= 1e-38F);
    REQUIRE(y[1] == 1);
    REQUIRE(std::isnan(y[2]));
    for (std::size_t i = 3; i < kCount; ++i) {
      const double expected = 1 / (1 + std::exp(-double{z[i]}));
      CAPTURE(z[i], y[i], expected);
      REQUIRE(std::abs(y[i] - expected) <= 3e-7 * expected + 1e-37);
    }
    for (const std::size_t function : {ACTIVATION_GELU, ACTIVATION_SWISH, ACTIVATION_TANH}) {
      activate(function);
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
        const RowCount count(rows);
        column_sum(
            pool,
            {.dy = dy.data(), .partial = partial.data(), .columns = columns, .rows_count = count});
        column_sum_norm(pool, {.dy = dy.data(),
                               .partial = both.data(),
                               .x = x.data(),
                               .moments = moments.data(),
                               .columns = columns,
                               .rows_count = count});
        std::vector<float> gradient(columns, 1), other(columns, 2);
        column_sum_final(pool, {.partial = partial.data(),
                                .gradient = gradient.data(),
                                .columns = columns,
                                .parts = 1,
                                .rows_count = count});
        column_sum_final(pool, {.partial = both.data(),
                                .gradient = other.data(),
                                .columns = columns,
                                .parts = 2,
                                .part = 1,
                                .rows_count = count});
        gradient.insert(gradient.end(), other.begin(), other.end());
        return gradient;
      });
    }
  }
}

TEST_CASE("the gradient of a table has the same bytes with any instruction set and threads") {
  for (const std::size_t columns : {4, 20, 600}) {
    const StepScalars scalars = some_scalars();
    const auto dy = input(columns, 1);
    // Segments of 1 to 24 rows, of ids that fall.
    std::vector<std::uint32_t> ids, begins = {0}, rows = numbers(kMaxRows);
    for (std::uint32_t i = 1; i <= 24; ++i) {
      ids.push_back(24 - i);
      begins.push_back(begins.back() + i);
    }
    result_of_all([&](ThreadPool& pool) {
      std::vector<float> gradient(24 * columns, 1);
      embedding_backward(pool, {.step = &scalars,
                                .segment_ids = ids.data(),
                                .segment_begins = begins.data(),
                                .sorted_rows = rows.data(),
                                .dy = dy.data(),
                                .gradient = gradient.data(),
                                .columns = columns,
                                .drops = 1,
                                .segments_count = RowCount(ids.size()),
                                .tokens_count = RowCount(kMaxRows, 5),
                                .dropout_id = kDropoutId,
                                .threshold = kThreshold,
                                .scale = kScale,
                                .multiplier = 3});
      return gradient;
    });
  }
}

}  // namespace
}  // namespace awend::host
