#include "host/residual.hpp"

#include "nn/host_forms.hpp"
#include "nn/host_forms/dropout.hpp"
#include "nn/host_forms/rows.hpp"
#include "shaders/op_residual.h"

namespace awend::nn {

std::unique_ptr<HostWork> host_form(const ResidualLaunch& launch) {
  return host_work([=](const HostView& view) {
    const bool has_x = launch.constants.has_x != 0;
    host::residual(view.threads(), {.rows = view.count(launch.push.rows_count),
                                    .columns = launch.constants.columns,
                                    .first = view.count(launch.push.rows_count + 1),
                                    .dropout = dropout_of(view, launch),
                                    .x = has_x ? view.floats(launch.operands.x) : nullptr,
                                    .a = view.floats(launch.operands.a),
                                    .y = view.floats(launch.operands.y)});
  });
}

std::unique_ptr<HostWork> host_form(const ResidualBackwardLaunch& launch) {
  return host_work([=](const HostView& view) {
    const bool has_x = launch.constants.has_x != 0;
    host::residual_backward(view.threads(),
                            {.rows = view.count(launch.push.rows_count),
                             .columns = launch.constants.columns,
                             .first = view.count(launch.push.rows_count + 1),
                             .dropout = dropout_of(view, launch),
                             .dy = view.floats(launch.operands.dy),
                             .dx = has_x ? view.floats(launch.operands.dx) : nullptr,
                             .da = view.floats(launch.operands.da),
                             .store_x = store_of(launch.constants.add_x),
                             .store_a = store_of(launch.constants.add_a)});
  });
}

}  // namespace awend::nn
