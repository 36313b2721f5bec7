// Updates of weights on the CPU: the bytes depend neither on the instruction set nor on threads.
// The values are compared with the reference in tests/kernels.
#include <algorithm>
#include <vector>

#include "shaders/op_adam.h"
#include "shaders/op_moving_average.h"
#include "shaders/op_muon.h"
#include "shaders/op_row_sum.h"
#include "shaders/op_sgd.h"
#include "shaders/op_square_sum.h"
#include "tests/unit/host/sets.hpp"

namespace awend::host {
namespace {

TEST_CASE("the optimizer has the same bytes with any instruction set and threads") {
  constexpr std::size_t kCount = 100'004;
  result_of_all([&](ThreadPool& pool) {
    auto x = uniform_floats(kCount, 1), gradients = uniform_floats(kCount, 2);
    auto m = uniform_floats(kCount, 3), v = uniform_floats(kCount, 4);
    for (float& value : v) value *= value;
    auto average = uniform_floats(kCount, 5);
    std::vector<float> partials(14);
    StepScalars scalars{};
    scalars.learning_rate = 0.01F;
    scalars.moment1_correction = 2;
    scalars.moment2_correction = 3;
    scalars.gradient_scale = 0.5F;
    scalars.average_share = 0.1F;
    const float squared_norm = 1;
    const RowCount count(kCount);
    square_sum(pool, {.values = gradients.data(),
                      .partials = partials.data(),
                      .floats_count = count,
                      .workgroups = 7});
    adam(pool, {.step = &scalars,
                .squared_norm = &squared_norm,
                .x = x.data(),
                .gradients = gradients.data(),
                .m = m.data(),
                .v = v.data(),
                .floats_count = count,
                .beta1 = 0.9F,
                .beta2 = 0.98F,
                .epsilon = 1e-9F,
                .weight_decay = 0.1F});
    moving_average(pool, {.step = &scalars,
                          .squared_norm = &squared_norm,
                          .x = x.data(),
                          .average = average.data(),
                          .floats_count = count});
    float total[2];
    row_sum(pool, {.pairs = partials.data(), .totals = total, .rows_count = RowCount(7)});
    REQUIRE(total[1] == 0);
    REQUIRE(std::all_of(gradients.begin(), gradients.end(), [](float g) { return g == 0; }));
    x.insert(x.end(), average.begin(), average.end());
    x.push_back(total[0]);
    return x;
  });
}

TEST_CASE("gradient descent: instruction sets give the same bytes") {
  constexpr std::uint32_t kCount = 1000;
  result_of_all([&](ThreadPool& pool) {
    auto x = uniform_floats(kCount, 1), gradients = uniform_floats(kCount, 2);
    StepScalars scalars{};
    scalars.learning_rate = 0.3F;
    scalars.clip_norm = 0.5F;
    scalars.gradient_scale = 0.5F;
    const float squared_norm = 9;
    sgd(pool, {.step = &scalars,
               .squared_norm = &squared_norm,
               .x = x.data(),
               .gradients = gradients.data(),
               .floats_count = RowCount(kCount),
               .weight_decay = 0.1F});
    REQUIRE(std::all_of(gradients.begin(), gradients.end(), [](float g) { return g == 0; }));
    return x;
  });
}

TEST_CASE("Muon: instruction sets and threads give the same bytes") {
  constexpr std::uint32_t kRows = 132, kCount = 100'004;
  result_of_all([&](ThreadPool& pool) {
    auto gradients = uniform_floats(kCount, 1), m = uniform_floats(kCount, 2);
    auto x = uniform_floats(kCount, 3);
    std::vector<float> u(kCount);
    StepScalars scalars{};
    scalars.learning_rate = 0.01F;
    scalars.clip_norm = 0.5F;
    scalars.gradient_scale = 0.5F;
    const float squared_norm = 9;
    const RowCount count(kCount), rows(kRows);
    muon_momentum(pool, {.step = &scalars,
                         .squared_norm = &squared_norm,
                         .gradients = gradients.data(),
                         .m = m.data(),
                         .u = u.data(),
                         .floats_count = count,
                         .momentum = 0.9F});
    REQUIRE(std::all_of(gradients.begin(), gradients.end(), [](float g) { return g == 0; }));
    auto square = uniform_floats(kRows * kRows, 4);
    for (const std::uint32_t normalizes : {1U, 0U}) {
      muon_polynomial(pool, {.a = u.data(),
                             .square = square.data(),
                             .columns = kRows,
                             .normalize = normalizes,
                             .rows_count = rows,
                             .constant = 3,
                             .linear = -4,
                             .quadratic = 2});
    }
    muon_update(pool, {.step = &scalars,
                       .squared_norm = &squared_norm,
                       .direction = u.data(),
                       .x = x.data(),
                       .floats_count = count,
                       .scale = 2,
                       .weight_decay = 0.1F});
    x.insert(x.end(), m.begin(), m.end());
    x.insert(x.end(), square.begin(), square.end());
    return x;
  });
}

}  // namespace
}  // namespace awend::host
