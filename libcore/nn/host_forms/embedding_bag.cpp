#include "host/embedding_bag.hpp"

#include "nn/host_forms.hpp"
#include "shaders/op_embedding_bag.h"
#include "shaders/op_embedding_bag_backward.h"

namespace awend::nn {
namespace {

host::BagWeights weights_of(std::uint32_t constant) {
  return constant == BAG_POSITION ? host::BagWeights::kPosition : host::BagWeights::kOne;
}

}  // namespace

std::unique_ptr<HostWork> host_form(const EmbeddingBagLaunch& launch) {
  return host_work([=](const HostView& view) {
    const auto& t = launch.operands;
    host::embedding_bag(view.threads(), {.bags = view.count(launch.push.bags_count),
                                         .columns = launch.constants.columns,
                                         .weights = weights_of(launch.constants.weights),
                                         .ids = view.words(t.ids),
                                         .rows_of_bag = view.words(t.rows_of_bag),
                                         .table = view.floats(t.table),
                                         .y = view.floats(t.y)});
  });
}

std::unique_ptr<HostWork> host_form(const EmbeddingBagBackwardLaunch& launch) {
  return host_work([=](const HostView& view) {
    const auto& t = launch.operands;
    host::embedding_bag_backward(view.threads(),
                                 {.segments = view.count(launch.push.segments_count),
                                  .columns = launch.constants.columns,
                                  .weights = weights_of(launch.constants.weights),
                                  .ids = view.words(t.segment_ids),
                                  .begins = view.words(t.segment_begins),
                                  .sorted_rows = view.words(t.sorted_rows),
                                  .bags_of_row = view.words(t.bags_of_row),
                                  .rows_of_bag = view.words(t.rows_of_bag),
                                  .dy = view.floats(t.dy),
                                  .gradient = view.floats(t.gradient)});
  });
}

}  // namespace awend::nn
