#include "host/layer_norm.hpp"

#include "nn/host_forms.hpp"
#include "shaders/op_layer_norm.h"

namespace awend::nn {

std::unique_ptr<HostWork> host_form(const LayerNormLaunch& launch) {
  return host_work([=](const HostView& view) {
    host::layer_norm(view.threads(), {.rows = view.count(launch.push.rows_count),
                                      .columns = launch.constants.columns,
                                      .x = view.floats(launch.operands.x),
                                      .gain = view.floats(launch.operands.gain),
                                      .bias = view.floats(launch.operands.bias),
                                      .y = view.floats(launch.operands.y),
                                      .moments = view.floats(launch.operands.moments)});
  });
}

}  // namespace awend::nn
