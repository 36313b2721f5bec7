#include "host/attention.hpp"

#include "nn/host_forms.hpp"
#include "nn/host_forms/dropout.hpp"
#include "shaders/op_attention.h"

namespace awend::nn {

std::unique_ptr<HostWork> host_form(const AttentionLaunch& launch) {
  return host_work([=](const HostView& view) {
    const auto& constants = launch.constants;
    const auto& operands = launch.operands;
    const auto& push = launch.push;
    host::attention(view.threads(), {.shape = {.queries = view.count(push.rows_count),
                                               .heads = constants.heads,
                                               .d_k = constants.d_k,
                                               .d_v = constants.d_v,
                                               .first_query = view.count(push.rows_count + 1),
                                               .first_key = view.count(push.partners_count + 1),
                                               .dropout = dropout_of(view, launch)},
                                     .key_ranges = view.words(operands.key_ranges),
                                     .q = view.floats(operands.q),
                                     .k = view.floats(operands.k),
                                     .v = view.floats(operands.v),
                                     .y = view.floats(operands.y),
                                     .log_sum_exp = view.floats(operands.log_sum_exp)});
  });
}

}  // namespace awend::nn
