#include "nn/sampling.hpp"

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "nn/parts.hpp"
#include "shaders/op_sample.h"

namespace awend::nn {

TopK sample(Program& program, const Logits& logits, const Sampling& sampling,
            const TokenConstraints& constraints, const Tensor& keys, std::uint32_t step) {
  const auto& [values, vocabulary] = logits;
  base::check(sampling.temperature > 0 && sampling.top_p > 0, "temperature and top_p are positive");
  const std::uint64_t lanes = program.engine().limits().subgroup_size;
  const std::uint64_t vectors = base::divide_up(values.columns / 4, lanes);  // of a lane
  constexpr std::uint64_t kPassesOfCut = 16 + SAMPLE_ID_BITS / 2;  // of the search for one
  constexpr std::uint64_t kPasses = 2 * kPassesOfCut + 1;
  if (vocabulary >= 1u << SAMPLE_ID_BITS ||
      3 * vectors + kPasses * (vectors / SAMPLE_VECTORS + 2) > kMaxIterations)
    base::fail("a vocabulary of ", vocabulary, " tokens is too large for sampling");
  adjust(program, logits, constraints);
  const TopK samples{program.output(values.rows, 1), program.output(values.rows, 1)};
  const std::uint32_t top_k = sampling.top_k == 0 ? vocabulary : sampling.top_k;
  constexpr double kFlops = 30;  // about those of a logit in a pass of the search
  const std::uint64_t passes =
      3 + (top_k < vocabulary ? kPassesOfCut : 0) + (sampling.top_p < 1 ? 1 + kPassesOfCut : 0);
  const double row_flops = kFlops * static_cast<double>(passes) * values.columns;
  const RowWork work{.rows = values.rows.capacity, .flops = row_flops * values.rows.capacity};
  const std::uint32_t part = step == 0 ? part_rows(work, program.engine().pace()) : step;
  in_parts(program, values.rows, part, [&](const RowPart& rows) {
    const std::size_t before = program.launches();
    program.launch(
        SampleLaunch{.constants = {.columns = values.columns},
                     .operands = {.forced_id = rows.of(constraints.forced_id),
                                  .keys = rows.of(keys),
                                  .logits = rows.of(logits.values),
                                  .ids = rows.of(samples.ids),
                                  .log_probabilities = rows.of(samples.log_probabilities)},
                     .push = {.rows_count = rows.rows.word,
                              .vocabulary = logits.vocabulary,
                              .top_k = top_k,
                              .top_p = sampling.top_p,
                              .inverse_temperature = 1 / sampling.temperature},
                     .x = Axis::rows(rows.rows)});
    program.set_flops(before, row_flops * rows.rows.capacity);
  });
  return samples;
}

}  // namespace awend::nn
