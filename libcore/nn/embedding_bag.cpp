#include "nn/embedding_bag.hpp"

#include "base/numbers.hpp"
#include "nn/graph.hpp"
#include "shaders/op_embedding_bag.h"
#include "shaders/op_embedding_bag_backward.h"

namespace awend::nn {

std::uint32_t max_bag_rows(const Engine& engine, std::uint32_t columns) {
  return kMaxIterations / base::divide_up(columns / 4, engine.limits().subgroup_size);
}

Tensor embedding_bag(Graph& graph, const EmbeddingBagInputs& inputs, const Parameter& table,
                     BagWeights weights) {
  Program& program = graph.program();
  const std::uint32_t columns = table.columns;
  const std::uint32_t kind = weights == BagWeights::kPosition ? BAG_POSITION : BAG_ONE;
  const Count bags = inputs.rows_of_bag.rows;
  const Tensor y = program.activation(bags, columns);
  program.launch(EmbeddingBagLaunch{.constants = {.columns = columns, .weights = kind},
                                    .operands = {.ids = inputs.ids,
                                                 .rows_of_bag = inputs.rows_of_bag,
                                                 .table = graph.value(table),
                                                 .y = y},
                                    .push = {.bags_count = bags.word},
                                    .x = Axis::rows(bags)});
  graph.tape([=, &graph, &program] {
    const auto dy = graph.gradient(y);
    if (!dy || !graph.trains(table)) return;
    const std::uint32_t lanes = program.engine().limits().subgroup_size;
    program.launch(
        EmbeddingBagBackwardLaunch{.constants = {.columns = columns, .weights = kind},
                                   .operands = {.segment_ids = inputs.by_id->keys,
                                                .segment_begins = inputs.by_id->begins,
                                                .sorted_rows = inputs.by_id->rows,
                                                .bags_of_row = inputs.bags_of_row,
                                                .rows_of_bag = inputs.rows_of_bag,
                                                .dy = *dy,
                                                .gradient = graph.parameter_gradient(table)},
                                   .push = {.segments_count = inputs.by_id->count.word},
                                   .x = Axis::rows(inputs.by_id->count),
                                   .y = Axis::of(base::divide_up(columns / 4, lanes))});
  });
  return y;
}

}  // namespace awend::nn
