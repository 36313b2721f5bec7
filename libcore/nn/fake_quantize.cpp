#include "nn/fake_quantize.hpp"

#include "base/error.hpp"
#include "shaders/op_fake_quantize.h"

namespace awend::nn {

Tensor fake_quantize(Program& program, const Tensor& x, float scale) {
  base::check(scale > 0, "a scale is positive");
  const Tensor y = program.activation(x.rows, x.columns);
  program.launch(FakeQuantizeLaunch{.constants = {.columns = x.columns},
                                    .operands = {.x = x, .y = y},
                                    .push = {.rows_count = x.rows.word, .scale = scale},
                                    .x = Axis::rows(x.rows, ROWS_PER_GROUP)});
  return y;
}

Tensor fake_quantize_rows(Program& program, const Tensor& x) {
  const Tensor y = program.activation(x.rows, x.columns);
  program.launch(FakeQuantizeRowsLaunch{.constants = {.columns = x.columns},
                                        .operands = {.x = x, .y = y},
                                        .push = {.rows_count = x.rows.word},
                                        .x = Axis::rows(x.rows, ROWS_PER_GROUP)});
  return y;
}

Tensor fake_quantize_columns(Program& program, const Tensor& x) {
  const Tensor y = program.activation(x.rows, x.columns);
  program.launch(FakeQuantizeColumnsLaunch{.constants = {.columns = x.columns},
                                           .operands = {.x = x, .y = y},
                                           .push = {.rows_count = x.rows.word},
                                           .x = Axis::of(x.columns / 4)});
  return y;
}

Tensor row_magnitudes(Program& program, const Tensor& x) {
  const Tensor y = program.output(x.rows, 1);
  program.launch(RowMagnitudesLaunch{.constants = {.columns = x.columns},
                                     .operands = {.x = x, .y = y},
                                     .push = {.rows_count = x.rows.word},
                                     .x = Axis::rows(x.rows, ROWS_PER_GROUP)});
  return y;
}

}  // namespace awend::nn
