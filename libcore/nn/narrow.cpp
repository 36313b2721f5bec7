#include "nn/narrow.hpp"

#include "base/error.hpp"
#include "shaders/op_narrow.h"

namespace awend::nn {
namespace {

// Rows of one column (a flat buffer) that one subgroup processes.
constexpr std::uint32_t kFlatRows = 2048;

}  // namespace

void narrow(Program& program, const Tensor& x, const Tensor& y) {
  base::check(x.columns == y.columns && y.element != Element::kFloat32,
              "narrowing keeps the shape");
  const std::uint32_t rows = x.columns >= 4 ? ROWS_PER_GROUP : kFlatRows;
  program.launch(NarrowLaunch{
      .constants = {.columns = x.columns, .rows = rows, .fp16 = y.element == Element::kFloat16},
      .operands = {.x = x, .y = y},
      .push = {.rows_count = x.rows.word},
      .x = Axis::rows(x.rows, rows)});
}

}  // namespace awend::nn
