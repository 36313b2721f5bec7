#include "host/attention.hpp"

#include "host/attention_backward.hpp"
#include "nn/host_forms.hpp"
#include "nn/host_forms/dropout.hpp"
#include "shaders/op_attention.h"
#include "shaders/op_attention_backward.h"
#include "shaders/op_attention_weights.h"

namespace awend::nn {
namespace {

/// The words of the counts of both sides.
struct Sides {
  std::uint32_t queries;
  std::uint32_t keys;
};

template <class KernelLaunch>
host::AttentionShape shape_of(const HostView& view, const KernelLaunch& launch, Sides sides) {
  return {.queries = view.count(sides.queries),
          .keys = view.count(sides.keys),
          .heads = launch.constants.heads,
          .d_k = launch.constants.d_k,
          .d_v = launch.constants.d_v,
          .first_query = view.count(sides.queries + 1),
          .first_key = view.count(sides.keys + 1),
          .dropout = dropout_of(view, launch)};
}

template <class KernelLaunch>
host::AttentionGradient gradient_of(const HostView& view, const KernelLaunch& launch, Sides sides) {
  return {.shape = shape_of(view, launch, sides),
          .ranges = view.words(launch.operands.ranges),
          .q = view.floats(launch.operands.q),
          .k = view.floats(launch.operands.k),
          .v = view.floats(launch.operands.v),
          .dy = view.floats(launch.operands.dy),
          .log_sum_exp = view.floats(launch.operands.log_sum_exp)};
}

}  // namespace

std::unique_ptr<HostWork> host_form(const AttentionLaunch& launch) {
  return host_work([=](const HostView& view) {
    const Sides sides{launch.push.rows_count, launch.push.partners_count};
    host::attention(view.threads(), {.shape = shape_of(view, launch, sides),
                                     .key_ranges = view.words(launch.operands.key_ranges),
                                     .q = view.floats(launch.operands.q),
                                     .k = view.floats(launch.operands.k),
                                     .v = view.floats(launch.operands.v),
                                     .y = view.floats(launch.operands.y),
                                     .log_sum_exp = view.floats(launch.operands.log_sum_exp)});
  });
}

std::unique_ptr<HostWork> host_form(const AttentionBackwardQueryLaunch& launch) {
  return host_work([=](const HostView& view) {
    const Sides sides{launch.push.rows_count, launch.push.partners_count};
    host::attention_backward(view.threads(),
                             host::QueryGradient{.in = gradient_of(view, launch, sides),
                                                 .y = view.floats(launch.operands.y),
                                                 .deltas = view.floats(launch.operands.deltas),
                                                 .dq = view.floats(launch.operands.dq)});
  });
}

std::unique_ptr<HostWork> host_form(const AttentionBackwardKeyLaunch& launch) {
  return host_work([=](const HostView& view) {
    const Sides sides{launch.push.partners_count, launch.push.rows_count};
    host::attention_backward(view.threads(),
                             host::KeyGradient{.in = gradient_of(view, launch, sides),
                                               .deltas = view.floats(launch.operands.deltas),
                                               .dk = view.floats(launch.operands.dk),
                                               .dv = view.floats(launch.operands.dv)});
  });
}

std::unique_ptr<HostWork> host_form(const AttentionWeightsLaunch& launch) {
  return host_work([=](const HostView& view) {
    host::attention_weights(view.threads(),
                            {.queries = view.count(launch.push.rows_count),
                             .heads = launch.constants.heads,
                             .d_k = launch.constants.d_k,
                             .stride = launch.constants.stride,
                             .key_ranges = view.words(launch.operands.key_ranges),
                             .q = view.floats(launch.operands.q),
                             .k = view.floats(launch.operands.k),
                             .log_sum_exp = view.floats(launch.operands.log_sum_exp),
                             .weights = view.floats(launch.operands.weights)});
  });
}

}  // namespace awend::nn
