#include "host/activation.hpp"

#include "base/error.hpp"
#include "nn/host_forms.hpp"
#include "nn/host_forms/rows.hpp"
#include "shaders/op_activation.h"
#include "shaders/op_relu_backward.h"

namespace awend::nn {
namespace {

host::Function function_of(std::uint32_t number) {
  switch (number) {
    case ACTIVATION_GELU:
      return host::Function::kGelu;
    case ACTIVATION_SWISH:
      return host::Function::kSwish;
    case ACTIVATION_SIGMOID:
      return host::Function::kSigmoid;
    default:
      base::check(number == ACTIVATION_TANH, "the number is one of lib/activations.h");
      return host::Function::kTanh;
  }
}

}  // namespace

std::unique_ptr<HostWork> host_form(const ActivationLaunch& launch) {
  return host_work([=](const HostView& view) {
    host::activate(view.threads(), {.rows = view.count(launch.push.rows_count),
                                    .columns = launch.constants.columns,
                                    .function = function_of(launch.constants.function),
                                    .z = view.floats(launch.operands.z),
                                    .y = view.floats(launch.operands.y)});
  });
}

std::unique_ptr<HostWork> host_form(const ActivationBackwardLaunch& launch) {
  return host_work([=](const HostView& view) {
    host::activate_backward(view.threads(), {.rows = view.count(launch.push.rows_count),
                                             .columns = launch.constants.columns,
                                             .function = function_of(launch.constants.function),
                                             .z = view.floats(launch.operands.z),
                                             .dy = view.floats(launch.operands.dy),
                                             .dz = view.floats(launch.operands.dz),
                                             .store = store_of(launch.constants.add)});
  });
}

std::unique_ptr<HostWork> host_form(const ReluBackwardLaunch& launch) {
  return host_work([=](const HostView& view) {
    host::relu_backward(view.threads(), {.rows = view.count(launch.push.rows_count),
                                         .columns = launch.constants.columns,
                                         .y = view.floats(launch.operands.y),
                                         .dy = view.floats(launch.operands.dy)});
  });
}

}  // namespace awend::nn
