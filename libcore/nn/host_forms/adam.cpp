#include "host/adam.hpp"

#include <algorithm>
#include <cmath>

#include "nn/host_forms.hpp"
#include "nn/host_forms/dropout.hpp"
#include "shaders/op_adam.h"
#include "shaders/op_moving_average.h"
#include "shaders/op_square_sum.h"

namespace awend::nn {
namespace {

/// The norm of the gradients without the loss scale.
float norm_of(const HostView& view, const Tensor& squared_norm, const StepScalars& scalars) {
  return std::sqrt(view.floats(squared_norm)[0]) * scalars.gradient_scale;
}

/// Whether parameters change; false for NaN as well.
bool is_finite(float norm) {
  return norm < 3.0e38F;
}

}  // namespace

std::unique_ptr<HostWork> host_form(const SquareSumLaunch& launch) {
  return host_work([=](const HostView& view) {
    host::square_sum(view.threads(), {.count = view.count(launch.push.floats_count),
                                      .groups = launch.x.fixed,
                                      .values = view.floats(launch.operands.values),
                                      .partials = view.floats(launch.operands.partials) +
                                                  2 * launch.push.first_partial});
  });
}

std::unique_ptr<HostWork> host_form(const AdamLaunch& launch) {
  return host_work([=](const HostView& view) {
    const StepScalars& scalars = step_scalars(view, launch.operands.step);
    const std::size_t count = view.count(launch.push.floats_count);
    float* const gradients = view.floats(launch.operands.gradients);
    const float norm = norm_of(view, launch.operands.squared_norm, scalars);
    if (!is_finite(norm)) {
      std::fill_n(gradients, count, 0.0F);
      return;
    }
    const float clip = scalars.clip_norm;
    const float shrink = clip > 0 && norm > clip ? clip / norm : 1;
    host::adam(view.threads(), {.count = count,
                                .beta1 = launch.push.beta1,
                                .beta2 = launch.push.beta2,
                                .epsilon = launch.push.epsilon,
                                .shrink = shrink * scalars.gradient_scale,
                                .rate = scalars.learning_rate,
                                .decay = launch.push.weight_decay,
                                .correction1 = scalars.moment1_correction,
                                .correction2 = scalars.moment2_correction,
                                .x = view.floats(launch.operands.x),
                                .gradients = gradients,
                                .m = view.floats(launch.operands.m),
                                .v = view.floats(launch.operands.v)});
  });
}

std::unique_ptr<HostWork> host_form(const MovingAverageLaunch& launch) {
  return host_work([=](const HostView& view) {
    const StepScalars& scalars = step_scalars(view, launch.operands.step);
    if (!is_finite(norm_of(view, launch.operands.squared_norm, scalars))) return;
    host::moving_average(view.threads(), {.count = view.count(launch.push.floats_count),
                                          .share = scalars.average_share,
                                          .x = view.floats(launch.operands.x),
                                          .average = view.floats(launch.operands.average)});
  });
}

}  // namespace awend::nn
