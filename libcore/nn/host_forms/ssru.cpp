#include "host/ssru.hpp"

#include "nn/host_forms.hpp"
#include "nn/host_forms/rows.hpp"
#include "shaders/op_ssru.h"

namespace awend::nn {
std::unique_ptr<HostWork> host_form(const SsruLaunch& launch) {
  return host_work([=](const HostView& view) {
    const auto& [columns, has_initial, keep] = launch.constants;
    const auto& t = launch.operands;
    host::ssru(view.threads(), {.rows = sentences_of(view, launch),
                                .candidate = view.floats(t.candidate),
                                .forget = view.floats(t.forget),
                                .initial = has_initial != 0 ? view.floats(t.initial) : nullptr,
                                .y = view.floats(t.y),
                                .states = keep != 0 ? view.floats(t.states) : nullptr});
  });
}

std::unique_ptr<HostWork> host_form(const SsruBackwardLaunch& launch) {
  return host_work([=](const HostView& view) {
    const auto& t = launch.operands;
    host::ssru_backward(view.threads(), {.rows = sentences_of(view, launch),
                                         .candidate = view.floats(t.candidate),
                                         .forget = view.floats(t.forget),
                                         .states = view.floats(t.states),
                                         .dy = view.floats(t.dy),
                                         .dcandidate = view.floats(t.dcandidate),
                                         .dforget = view.floats(t.dforget)});
  });
}

}  // namespace awend::nn
