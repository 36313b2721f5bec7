#include "nn/table_rows.hpp"

#include "host/rows.hpp"
#include "shaders/lib/tokens.h"

namespace awend::nn {

TableRows table_rows(Graph& graph, const Parameter& table, const Tensor& ids) {
  const auto integers = graph.integers(table);
  if (!integers) return {graph.table(table), ids};
  Program& program = graph.program();
  const TableRows rows{.table = program.activation(ids.rows, table.columns),
                       .ids = program.activation(ids.rows, 1)};
  Launch launch;
  launch.kernel = "widen_rows";
  launch.operands = {{"ids", OperandAccess::kRead, OperandType::k_uint, 1, ids},
                     {"rows", OperandAccess::kWrite, OperandType::k_float, ANY_COLUMNS, rows.table},
                     {"row_ids", OperandAccess::kWrite, OperandType::k_uint, 1, rows.ids}};
  launch.host = [=, matrix = *integers](const HostMemory& memory) -> HostStep {
    const auto* const from = reinterpret_cast<const std::uint32_t*>(memory.memory(ids));
    auto* const to = reinterpret_cast<float*>(memory.memory(rows.table));
    auto* const row_ids = reinterpret_cast<std::uint32_t*>(memory.memory(rows.ids));
    const auto* const count = memory.count(ids.rows.word);
    return [=](host::ThreadPool& threads) {
      host::for_rows(threads, *count, matrix.columns, [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row) {
          row_ids[row] = from[row] == NO_TOKEN ? NO_TOKEN : static_cast<std::uint32_t>(row);
          if (from[row] != NO_TOKEN)
            matrix.widen(from[row], 0, matrix.columns, to + row * matrix.columns);
        }
      });
    };
  };
  program.launch(std::move(launch));
  return rows;
}

}  // namespace awend::nn
