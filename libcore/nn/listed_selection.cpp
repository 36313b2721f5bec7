#include "nn/listed_selection.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "host/listed_product.hpp"
#include "host/rows.hpp"
#include "nn/graph.hpp"
#include "shaders/op_adjust.h"
#include "shaders/op_restrict_tokens.h"
#include "shaders/op_sample.h"
#include "shaders/op_top_k.h"

namespace awend::nn {
namespace {

// Of the table; they remain in the second-level cache.
constexpr std::size_t kBlockBytes = 128 * 1024;

/// The tensors of a selection; a member that is not used is empty.
struct Tensors {
  Tensor x;
  std::optional<Tensor> table, bias;  ///< No table: it is stored as integers.
  std::optional<host::Int8Matrix> integers;
  TokenConstraints constraints;
  std::optional<Tensor> random_keys;
  TopK best;
};

std::vector<Operand> operands_of(const Tensors& tensors) {
  const auto read = OperandAccess::kRead, write = OperandAccess::kWrite;
  const auto floats = OperandType::k_float, words = OperandType::k_uint;
  std::vector<Operand> operands = {
      {"x", read, floats, ANY_COLUMNS, tensors.x},
      {"forced_id", read, words, 1, tensors.constraints.forced_id},
      {"ids", write, words, ANY_COLUMNS, tensors.best.ids},
      {"log_probabilities", write, floats, ANY_COLUMNS, tensors.best.log_probabilities}};
  if (tensors.table) operands.push_back({"table", read, floats, ANY_COLUMNS, *tensors.table});
  if (tensors.bias) operands.push_back({"bias", read, floats, ANY_COLUMNS, *tensors.bias});
  if (tensors.random_keys) operands.push_back({"keys", read, words, 2, *tensors.random_keys});
  if (const auto& adjustments = tensors.constraints.adjustments) {
    operands.push_back({"ranges", read, words, 2, adjustments->ranges});
    operands.push_back({"changes", read, words, 2, adjustments->changes});
  }
  return operands;
}

/// Rows that follow each other and have the same list.
struct Group {
  std::size_t first, rows;
  std::span<const std::uint32_t> ids;
};

/// The computation in the memory of a program.
class HostSelection {
 public:
  HostSelection(const HostMemory& memory, const Tensors& tensors, const ListedSelection& selection,
                const TokenLists& lists, const std::vector<std::uint32_t>& masked_ids)
      : selection_(selection),
        integers_(tensors.integers),
        lists_(lists),
        masked_ids_(masked_ids),
        columns_(tensors.x.columns),
        count_(memory.count(tensors.x.rows.word)) {
    const auto address = [&]<class Number>(const Tensor& tensor, Number*& to) {
      to = reinterpret_cast<Number*>(memory.memory(tensor));
    };
    address(tensors.x, x_);
    if (tensors.table) address(*tensors.table, table_);
    if (tensors.bias) address(*tensors.bias, bias_);
    address(tensors.constraints.forced_id, forced_id_);
    if (tensors.random_keys) address(*tensors.random_keys, keys_);
    if (const auto& adjustments = tensors.constraints.adjustments) {
      address(adjustments->ranges, ranges_);
      address(adjustments->changes, changes_);
    }
    address(tensors.best.ids, ids_);
    address(tensors.best.log_probabilities, log_probabilities_);
  }

  void run(host::ThreadPool& threads) const {
    const auto groups = groups_of_rows();
    if (groups.empty()) return;
    std::size_t floats = 0;
    for (const auto& group : groups) floats += group.rows * group.ids.size() * columns_;
    host::for_rows(threads, groups.size(), floats / groups.size(),
                   [&](std::size_t begin, std::size_t end) {
                     const auto part = std::span(groups).subspan(begin, end - begin);
                     auto logits = logits_of(part);
                     for (std::size_t i = 0; i < part.size(); ++i) select(part[i], logits[i]);
                   });
  }

 private:
  std::vector<Group> groups_of_rows() const {
    base::check(lists_.size() >= *count_, "each row has a list of tokens");
    std::vector<Group> groups;
    for (std::size_t row = 0; row < *count_; ++row) {
      const auto ids = lists_[row];
      base::check(!ids.empty(), "a list has tokens");
      if (!groups.empty() && groups.back().ids.data() == ids.data()) {
        ++groups.back().rows;
      } else {
        groups.push_back({row, 1, ids});
      }
    }
    return groups;
  }

  /// The logits of each group.  All groups have those of some rows of the table before those of the
  /// next ones, so that the rows are read from memory once, not for each sentence.
  std::vector<std::vector<float>> logits_of(std::span<const Group> groups) const {
    const auto table_rows = static_cast<std::uint32_t>(
        std::max<std::size_t>(kBlockBytes / (columns_ * sizeof(float)), 1));
    std::vector<std::vector<float>> logits;
    for (const auto& group : groups) logits.emplace_back(group.rows * group.ids.size());
    std::vector<std::size_t> done(groups.size());
    for (std::size_t left = groups.size(), end = table_rows; left > 0; end += table_rows) {
      for (std::size_t i = 0; i < groups.size(); ++i) {
        const auto& [first, rows, all] = groups[i];
        const std::size_t begin = done[i];
        if (begin == all.size()) continue;
        while (done[i] < all.size() && all[done[i]] < end) ++done[i];
        if (done[i] == all.size()) --left;
        host::multiply_listed({.rows = rows,
                               .inner = columns_,
                               .a = x_ + first * columns_,
                               .table = table_,
                               .integers = integers_,
                               .ids = all.subspan(begin, done[i] - begin),
                               .bias = bias_,
                               .c = logits[i].data() + begin,
                               .c_stride = all.size()});
      }
    }
    return logits;
  }

  void select(const Group& group, std::vector<float>& logits) const {
    const auto& [first, rows, ids] = group;
    for (const auto masked : masked_ids_) {
      const auto place = std::ranges::lower_bound(ids, masked);
      if (place == ids.end() || *place != masked) continue;
      for (std::size_t row = 0; row < rows; ++row)
        logits[row * ids.size() + static_cast<std::size_t>(place - ids.begin())] += kMaskedLogit;
    }
    host::ThreadPool caller(1);
    const std::uint32_t words[] = {static_cast<std::uint32_t>(rows), 0};
    const host::Count count{words};
    if (ranges_ != nullptr) {
      host::adjust(caller, {.ranges = ranges_ + 2 * first,
                            .changes = changes_,
                            .logits = logits.data(),
                            .columns = ids.size(),
                            .rows_count = count});
    }
    const std::size_t of_row = selection_.candidates;
    if (!selection_.sampling) {
      host::top_k(caller, {.forced_id = forced_id_ + first,
                           .logits = logits.data(),
                           .ids = ids_ + first * of_row,
                           .log_probabilities = log_probabilities_ + first * of_row,
                           .columns = ids.size(),
                           .k = of_row,
                           .rows_count = count,
                           .vocabulary = ids.size()});
      return;
    }
    const auto& [temperature, top_k, top_p] = *selection_.sampling;
    host::sample(caller, {.forced_id = forced_id_ + first,
                          .keys = keys_ + 2 * first,
                          .logits = logits.data(),
                          .ids = ids_ + first,
                          .log_probabilities = log_probabilities_ + first,
                          .columns = ids.size(),
                          .rows_count = count,
                          .vocabulary = ids.size(),
                          .top_k = top_k == 0 ? ids.size() : top_k,
                          .top_p = top_p,
                          .inverse_temperature = 1 / temperature});
  }

  ListedSelection selection_;
  std::optional<host::Int8Matrix> integers_;
  const TokenLists& lists_;
  std::vector<std::uint32_t> masked_ids_;
  std::size_t columns_;
  const std::uint32_t* count_;
  const float *x_ = nullptr, *table_ = nullptr, *bias_ = nullptr;
  const std::uint32_t *forced_id_ = nullptr, *keys_ = nullptr, *ranges_ = nullptr,
                      *changes_ = nullptr;
  std::uint32_t* ids_ = nullptr;
  float* log_probabilities_ = nullptr;
};

}  // namespace

void restrict_tokens(Program& program, const Logits& logits, const Tensor& allowed) {
  program.launch(
      RestrictTokensLaunch{.constants = {.columns = logits.values.columns},
                           .operands = {.allowed = allowed, .logits = logits.values},
                           .push = {.rows_count = logits.values.rows.word, .masked = kMaskedLogit},
                           .x = Axis::rows(logits.values.rows)});
}

TopK select_listed(Graph& graph, const Tensor& x, const OutputLayer& output,
                   const TokenLists& lists, const ListedSelection& selection,
                   const TokenConstraints& constraints) {
  Program& program = graph.program();
  base::check(program.engine().on_processor(), "listed tokens are selected on the processor");
  base::check(x.columns == output.table.columns, "the rows have the columns of the table");
  base::check(selection.sampling.has_value() == selection.random_keys.has_value() &&
                  (!selection.sampling || selection.candidates == 1),
              "a sample has a random key");
  const auto integers = graph.integers(output.table);
  const Tensors tensors{
      .x = x,
      .table = integers ? std::nullopt : std::optional(graph.table(output.table)),
      .bias = output.bias ? std::optional(graph.value(*output.bias)) : std::nullopt,
      .integers = integers,
      .constraints = constraints,
      .random_keys = selection.random_keys,
      .best = {program.output(x.rows, selection.candidates),
               program.output(x.rows, selection.candidates)}};
  Launch launch;
  launch.kernel = "select_listed";
  launch.operands = operands_of(tensors);
  launch.host = [=, &lists, masked_ids = output.masked_ids](const HostMemory& memory) -> HostStep {
    return [work = HostSelection(memory, tensors, selection, lists, masked_ids)](
               host::ThreadPool& threads) { work.run(threads); };
  };
  program.launch(std::move(launch));
  return tensors.best;
}

}  // namespace awend::nn
