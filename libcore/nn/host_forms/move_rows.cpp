#include "host/move_rows.hpp"

#include "nn/host_forms.hpp"
#include "nn/host_forms/dropout.hpp"
#include "nn/host_forms/rows.hpp"
#include "shaders/lib/tokens.h"
#include "shaders/op_move_rows.h"
#include "shaders/op_row_dropout.h"

namespace awend::nn {

std::unique_ptr<HostWork> host_form(const MoveRowsLaunch& launch) {
  return host_work([=](const HostView& view) {
    const auto& c = launch.constants;
    const bool uses_table = c.gather != 0 || c.scatter != 0;
    const std::uint32_t* const table =
        uses_table ? view.words(launch.operands.table) + view.count(launch.push.rows_count + 1)
                   : nullptr;
    host::move_rows(view.threads(), {.rows = view.count(launch.push.rows_count),
                                     .width = c.width,
                                     .from = c.gather != 0 ? table : nullptr,
                                     .to = c.scatter != 0 ? table : nullptr,
                                     .no_token = NO_TOKEN,
                                     .x = c.zero != 0 ? nullptr : view.floats(launch.operands.x),
                                     .x_columns = {c.x_columns, c.x_offset},
                                     .y = view.floats(launch.operands.y),
                                     .y_columns = {c.y_columns, c.y_offset},
                                     .store = store_of(c.add)});
  });
}

std::unique_ptr<HostWork> host_form(const RowDropoutLaunch& launch) {
  return host_work([=](const HostView& view) {
    const StepScalars& scalars = step_scalars(view, launch.operands.step);
    const auto& [rows_count, site, threshold, scale] = launch.push;
    host::row_dropout(view.threads(),
                      {.rows = view.count(rows_count),
                       .columns = launch.constants.columns,
                       .masks = view.words(launch.operands.masks) + view.count(rows_count + 1),
                       .dropout = {.seed_low = scalars.seed_low,
                                   .seed_high = scalars.seed_high,
                                   .step = scalars.step,
                                   .site = site,
                                   .threshold = threshold,
                                   .scale = scale},
                       .x = launch.constants.has_x != 0 ? view.floats(launch.operands.x) : nullptr,
                       .a = view.floats(launch.operands.a),
                       .y = view.floats(launch.operands.y),
                       .store = store_of(launch.constants.add)});
  });
}

}  // namespace awend::nn
