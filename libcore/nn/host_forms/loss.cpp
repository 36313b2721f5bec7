#include "host/loss.hpp"

#include "nn/host_forms.hpp"
#include "nn/host_forms/dropout.hpp"
#include "shaders/op_loss.h"
#include "shaders/op_row_sum.h"

namespace awend::nn {

std::unique_ptr<HostWork> host_form(const LossLaunch& launch) {
  return host_work([=](const HostView& view) {
    const bool has_gradient = launch.constants.gradient != 0;
    host::loss(view.threads(), {.rows = view.count(launch.push.rows_count),
                                .columns = launch.constants.columns,
                                .vocabulary = launch.push.vocabulary,
                                .smoothing = launch.push.smoothing,
                                .scale = step_scalars(view, launch.operands.step).loss_scale,
                                .gradient = has_gradient ? host::LossGradient::kReplacesLogits
                                                         : host::LossGradient::kNone,
                                .targets = view.words(launch.operands.targets),
                                .logits = view.floats(launch.operands.logits),
                                .losses = view.floats(launch.operands.losses)});
  });
}

std::unique_ptr<HostWork> host_form(const RowSumLaunch& launch) {
  return host_work([=](const HostView& view) {
    host::row_sum(view.floats(launch.operands.pairs), view.count(launch.push.rows_count),
                  view.floats(launch.operands.totals));
  });
}

}  // namespace awend::nn
