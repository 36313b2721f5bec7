#include "host/mean_rows.hpp"

#include "nn/host_forms.hpp"
#include "nn/host_forms/rows.hpp"
#include "shaders/op_mean_rows.h"

namespace awend::nn {

std::unique_ptr<HostWork> host_form(const MeanRowsLaunch& launch) {
  return host_work([=](const HostView& view) {
    host::mean_rows(view.threads(), {.rows = sentences_of(view, launch),
                                     .x = view.floats(launch.operands.x),
                                     .y = view.floats(launch.operands.y)});
  });
}

std::unique_ptr<HostWork> host_form(const MeanRowsBackwardLaunch& launch) {
  return host_work([=](const HostView& view) {
    host::mean_rows_backward(view.threads(), {.rows = sentences_of(view, launch),
                                              .store = store_of(launch.constants.add),
                                              .dy = view.floats(launch.operands.dy),
                                              .dx = view.floats(launch.operands.dx)});
  });
}

}  // namespace awend::nn
