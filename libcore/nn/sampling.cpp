#include "nn/sampling.hpp"

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "shaders/op_sample.h"

namespace awend::nn {

TopK sample(Program& program, const Logits& logits, const Sampling& sampling,
            const TokenConstraints& constraints, const Tensor& keys) {
  const auto& [values, vocabulary] = logits;
  base::check(sampling.temperature > 0 && sampling.top_p > 0, "temperature and top_p are positive");
  const std::uint64_t lanes = program.engine().limits().subgroup_size;
  const std::uint64_t vectors = base::divide_up(values.columns / 4, lanes);  // of a lane
  constexpr std::uint64_t kPasses = 2 * (16 + SAMPLE_ID_BITS / 2) + 1;  // of the search for cuts
  if (vocabulary >= 1u << SAMPLE_ID_BITS ||
      3 * vectors + kPasses * (vectors / SAMPLE_VECTORS + 2) > kMaxIterations)
    base::fail("a vocabulary of ", vocabulary, " tokens is too large for sampling");
  adjust(program, logits, constraints);
  const TopK samples{program.output(values.rows, 1), program.output(values.rows, 1)};
  program.launch(SampleLaunch{.constants = {.columns = values.columns},
                              .operands = {.forced_id = constraints.forced_id,
                                           .keys = keys,
                                           .logits = values,
                                           .ids = samples.ids,
                                           .log_probabilities = samples.log_probabilities},
                              .push = {.rows_count = values.rows.word,
                                       .vocabulary = vocabulary,
                                       .top_k = sampling.top_k == 0 ? vocabulary : sampling.top_k,
                                       .top_p = sampling.top_p,
                                       .inverse_temperature = 1 / sampling.temperature},
                              .x = Axis::rows(values.rows)});
  return samples;
}

}  // namespace awend::nn
