#include "host/decoding.hpp"

#include "nn/host_forms.hpp"
#include "shaders/op_adjust.h"
#include "shaders/op_attention_cached.h"
#include "shaders/op_store_rows.h"

namespace awend::nn {

std::unique_ptr<HostWork> host_form(const AttentionCachedLaunch& launch) {
  return host_work([=](const HostView& view) {
    host::cached_attention(view.threads(), {.rows = view.count(launch.push.rows_count),
                                            .heads = launch.constants.heads,
                                            .d_k = launch.constants.d_k,
                                            .d_v = launch.constants.d_v,
                                            .past = view.words(launch.operands.past),
                                            .ancestors = view.words(launch.operands.ancestors),
                                            .q = view.floats(launch.operands.q),
                                            .k = view.floats(launch.operands.k),
                                            .v = view.floats(launch.operands.v),
                                            .y = view.floats(launch.operands.y)});
  });
}

std::unique_ptr<HostWork> host_form(const StoreRowsLaunch& launch) {
  return host_work([=](const HostView& view) {
    host::store_rows({.rows = view.count(launch.push.rows_count),
                      .columns = launch.constants.columns,
                      .places = view.words(launch.operands.places),
                      .x = view.floats(launch.operands.x),
                      .cache = view.floats(launch.operands.cache)});
  });
}

std::unique_ptr<HostWork> host_form(const AdjustLaunch& launch) {
  return host_work([=](const HostView& view) {
    host::adjust({.rows = view.count(launch.push.rows_count),
                  .columns = launch.constants.columns,
                  .repeated = ADJUST_REPEATED,
                  .ranges = view.words(launch.operands.ranges),
                  .changes = view.words(launch.operands.changes),
                  .logits = view.floats(launch.operands.logits)});
  });
}

}  // namespace awend::nn
