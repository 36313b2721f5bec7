#include "host/layer_norm.hpp"

#include "nn/host_forms.hpp"
#include "nn/host_forms/rows.hpp"
#include "shaders/op_layer_norm.h"

namespace awend::nn {

std::unique_ptr<HostWork> host_form(const LayerNormLaunch& launch) {
  return host_work([=](const HostView& view) {
    host::layer_norm(view.threads(), {.rows = view.count(launch.push.rows_count),
                                      .columns = launch.constants.columns,
                                      .epsilon = launch.push.epsilon,
                                      .x = view.floats(launch.operands.x),
                                      .gain = view.floats(launch.operands.gain),
                                      .bias = view.floats(launch.operands.bias),
                                      .y = view.floats(launch.operands.y),
                                      .moments = view.floats(launch.operands.moments)});
  });
}

std::unique_ptr<HostWork> host_form(const LayerNormBackwardLaunch& launch) {
  return host_work([=](const HostView& view) {
    host::layer_norm_backward(view.threads(), {.rows = view.count(launch.push.rows_count),
                                               .columns = launch.constants.columns,
                                               .x = view.floats(launch.operands.x),
                                               .gain = view.floats(launch.operands.gain),
                                               .dy = view.floats(launch.operands.dy),
                                               .moments = view.floats(launch.operands.moments),
                                               .dx = view.floats(launch.operands.dx),
                                               .store = store_of(launch.constants.add)});
  });
}

}  // namespace awend::nn
