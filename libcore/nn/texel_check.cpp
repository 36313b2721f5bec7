#include "nn/texel_check.hpp"

#include <cstdint>

#include "base/numbers.hpp"
#include "nn/program.hpp"
#include "shaders/lib/rows.h"
#include "shaders/op_square_sum.h"

namespace awend::nn {
namespace {

/// Integers, so that their sum is the same in every order.
float number(std::size_t i) {
  return static_cast<float>(i * 7 % 11) - 3;
}

bool sums_are_right(Engine& engine) {
  const std::uint32_t per_group = 4 * FLAT_VECTORS_PER_LANE * engine.device.limits().subgroup_size;
  const std::uint32_t floats = 2 * per_group + per_group / 4 + 4;  // the last group is not full
  const std::uint32_t groups = base::divide_up(floats, per_group);
  Program program(engine);
  const Tensor values = program.input(program.fixed(floats), 1);
  const Tensor partials = program.output(program.fixed(groups), 2);
  program.launch(SquareSumLaunch{.constants = {},
                                 .operands = {.values = values, .partials = partials},
                                 .push = {.floats_count = values.rows.word, .first_partial = 0},
                                 .x = Axis::of(groups)});
  program.compile();
  const auto written = program.host<float>(values);
  for (std::size_t i = 0; i < floats; ++i) written[i] = number(i);
  program.replay();
  const auto sums = program.host<float>(partials);
  for (std::uint32_t group = 0; group < groups; ++group) {
    float expected = 0;
    for (std::size_t i = group * per_group; i < std::min(floats, (group + 1) * per_group); ++i)
      expected += number(i) * number(i);
    if (sums[2 * group] != expected) return false;
  }
  return true;
}

}  // namespace

void check_texels(Engine& engine) {
  if (engine.device.limits().buffers != shaders::Buffers::kTexel || sums_are_right(engine)) return;
  engine.kernels.clear();
  engine.device.use_storage_buffers(
      "this driver computes wrong sums through texel buffers, so storage buffers are used");
}

}  // namespace awend::nn
