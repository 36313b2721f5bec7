#include "host/recurrent.hpp"

#include "nn/host_forms.hpp"
#include "nn/host_forms/rows.hpp"
#include "shaders/op_feed.h"
#include "shaders/op_gru.h"
#include "shaders/op_lstm.h"

namespace awend::nn {
namespace {

/// The memory of an operand that a launch may not use.
float* floats_if(bool is_used, const HostView& view, const Tensor& tensor) {
  return is_used ? view.floats(tensor) : nullptr;
}

}  // namespace

std::unique_ptr<HostWork> host_form(const LstmLaunch& launch) {
  return host_work([=](const HostView& view) {
    const auto& [columns, has_inputs, has_input, keep] = launch.constants;
    const auto& t = launch.operands;
    host::lstm(view.threads(), {.step = step_of(view, launch),
                                .inputs = floats_if(has_inputs != 0, view, t.gates),
                                .input = floats_if(has_input != 0, view, t.input),
                                .hidden = view.floats(t.hidden),
                                .h = view.floats(t.h),
                                .c = view.floats(t.c),
                                .y = view.floats(t.y),
                                .gates = floats_if(keep != 0, view, t.gates),
                                .h_before = floats_if(keep != 0, view, t.h_before),
                                .c_before = floats_if(keep != 0, view, t.c_before)});
  });
}

std::unique_ptr<HostWork> host_form(const LstmBackwardLaunch& launch) {
  return host_work([=](const HostView& view) {
    const auto& t = launch.operands;
    host::lstm_backward(view.threads(), {.step = step_of(view, launch),
                                         .gates = view.floats(t.gates),
                                         .c_before = view.floats(t.c_before),
                                         .dy = floats_if(launch.constants.has_dy != 0, view, t.dy),
                                         .dh = view.floats(t.dh),
                                         .dc = view.floats(t.dc),
                                         .dgates = view.floats(t.dgates),
                                         .dgates_of_step = view.floats(t.dgates_of_step)});
  });
}

std::unique_ptr<HostWork> host_form(const GruLaunch& launch) {
  return host_work([=](const HostView& view) {
    const auto& [columns, has_inputs, has_input, keep] = launch.constants;
    const auto& t = launch.operands;
    host::gru(view.threads(), {.step = step_of(view, launch),
                               .inputs = floats_if(has_inputs != 0, view, t.gates),
                               .input = floats_if(has_input != 0, view, t.input),
                               .hidden = view.floats(t.hidden),
                               .h = view.floats(t.h),
                               .y = view.floats(t.y),
                               .gates = floats_if(keep != 0, view, t.gates),
                               .h_before = floats_if(keep != 0, view, t.h_before),
                               .candidate = floats_if(keep != 0, view, t.candidate)});
  });
}

std::unique_ptr<HostWork> host_form(const GruBackwardLaunch& launch) {
  return host_work([=](const HostView& view) {
    const auto& t = launch.operands;
    host::gru_backward(view.threads(), {.step = step_of(view, launch),
                                        .gates = view.floats(t.gates),
                                        .h_before = view.floats(t.h_before),
                                        .candidate = view.floats(t.candidate),
                                        .dy = floats_if(launch.constants.has_dy != 0, view, t.dy),
                                        .dh = view.floats(t.dh),
                                        .dgates = view.floats(t.dgates),
                                        .dhidden = view.floats(t.dhidden),
                                        .dgates_of_step = view.floats(t.dgates_of_step),
                                        .dhidden_of_step = view.floats(t.dhidden_of_step)});
  });
}

std::unique_ptr<HostWork> host_form(const FeedLaunch& launch) {
  return host_work([=](const HostView& view) {
    const auto& t = launch.operands;
    host::feed(view.threads(),
               {.step = step_of(view, launch),
                .z = view.floats(t.z),
                .f = view.floats(t.f),
                .y = view.floats(t.y),
                .f_before = floats_if(launch.constants.keep != 0, view, t.f_before)});
  });
}

std::unique_ptr<HostWork> host_form(const FeedBackwardLaunch& launch) {
  return host_work([=](const HostView& view) {
    const auto& t = launch.operands;
    host::feed_backward(view.threads(), {.step = step_of(view, launch),
                                         .y = view.floats(t.y),
                                         .dy = floats_if(launch.constants.has_dy != 0, view, t.dy),
                                         .df = view.floats(t.df),
                                         .dz = view.floats(t.dz),
                                         .dz_rows = view.floats(t.dz_rows)});
  });
}

}  // namespace awend::nn
