#include "host/embedding.hpp"

#include "nn/host_forms.hpp"
#include "nn/host_forms/dropout.hpp"
#include "shaders/op_embedding.h"
#include "shaders/op_embedding_backward.h"

namespace awend::nn {

std::unique_ptr<HostWork> host_form(const EmbeddingLaunch& launch) {
  return host_work([=](const HostView& view) {
    host::embedding(view.threads(), {.rows = view.count(launch.push.rows_count),
                                     .columns = launch.constants.columns,
                                     .first = view.count(launch.push.tokens_count + 1),
                                     .dropout = dropout_of(view, launch),
                                     .multiplier = launch.push.multiplier,
                                     .ids = view.words(launch.operands.ids),
                                     .no_token = NO_TOKEN,
                                     .places = view.words(launch.operands.places),
                                     .table = view.floats(launch.operands.table),
                                     .positions = view.floats(launch.operands.positions),
                                     .y = view.floats(launch.operands.y)});
  });
}

std::unique_ptr<HostWork> host_form(const EmbeddingBackwardLaunch& launch) {
  return host_work([=](const HostView& view) {
    host::embedding_backward(view.threads(),
                             {.segments = view.count(launch.push.segments_count),
                              .columns = launch.constants.columns,
                              .first = view.count(launch.push.tokens_count + 1),
                              .dropout = dropout_of(view, launch),
                              .multiplier = launch.push.multiplier,
                              .ids = view.words(launch.operands.segment_ids),
                              .begins = view.words(launch.operands.segment_begins),
                              .sorted_rows = view.words(launch.operands.sorted_rows),
                              .dy = view.floats(launch.operands.dy),
                              .gradient = view.floats(launch.operands.gradient)});
  });
}

}  // namespace awend::nn
