#include "nn/table_rows.hpp"

#include <vector>

#include "host/rows.hpp"
#include "shaders/lib/tokens.h"

namespace awend::nn {
namespace {

std::vector<Operand> operands_of(const TableRows& rows, const Tensor& ids) {
  const auto write = OperandAccess::kWrite;
  std::vector<Operand> operands = {{"ids", OperandAccess::kRead, OperandType::k_uint, 1, ids},
                                   {"rows", write, OperandType::k_float, ANY_COLUMNS, rows.table},
                                   {"row_ids", write, OperandType::k_uint, 1, rows.ids}};
  return operands;
}

}  // namespace

TableRows table_rows(Graph& graph, const Parameter& table, const Tensor& ids) {
  const auto integers = graph.integers(table);
  if (!integers) return {graph.table(table), ids};
  Program& program = graph.program();
  const TableRows rows{.table = program.activation(ids.rows, table.columns),
                       .ids = program.activation(ids.rows, 1)};
  Launch launch;
  launch.kernel = "widen_rows";
  launch.operands = operands_of(rows, ids);
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
