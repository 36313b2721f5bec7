#include "host/column_sum.hpp"

#include "base/numbers.hpp"
#include "nn/host_forms.hpp"
#include "shaders/op_column_sum.h"

namespace awend::nn {

std::unique_ptr<HostWork> host_form(const ColumnSumLaunch& launch) {
  return host_work([=](const HostView& view) {
    host::column_sum(view.threads(),
                     host::ColumnSum{.rows = view.count(launch.push.rows_count),
                                     .columns = launch.constants.columns,
                                     .block = COLUMN_SUM_ROWS,
                                     .dy = view.floats(launch.operands.dy),
                                     .partial = view.floats(launch.operands.partial)});
  });
}

std::unique_ptr<HostWork> host_form(const ColumnSumNormLaunch& launch) {
  return host_work([=](const HostView& view) {
    host::column_sum(view.threads(),
                     host::ColumnSumNorm{.rows = view.count(launch.push.rows_count),
                                         .columns = launch.constants.columns,
                                         .block = COLUMN_SUM_ROWS,
                                         .dy = view.floats(launch.operands.dy),
                                         .x = view.floats(launch.operands.x),
                                         .moments = view.floats(launch.operands.moments),
                                         .partial = view.floats(launch.operands.partial)});
  });
}

std::unique_ptr<HostWork> host_form(const ColumnSumFinalLaunch& launch) {
  return host_work([=](const HostView& view) {
    const std::size_t rows = view.count(launch.push.rows_count);
    const std::size_t columns = launch.constants.columns;
    host::column_sum(
        {.blocks = base::divide_up(rows, std::size_t{COLUMN_SUM_ROWS}),
         .columns = columns,
         .stride = launch.constants.parts * columns,
         .partial = view.floats(launch.operands.partial) + launch.constants.part * columns,
         .gradient = view.floats(launch.operands.gradient)});
  });
}

}  // namespace awend::nn
