#include "nn/sampling.hpp"

#include "base/error.hpp"
#include "nn/shader_types.hpp"

namespace awend::nn {

TopK sample(Program& program, const Logits& logits, const Sampling& sampling,
            const TokenConstraints& constraints, const Tensor& draws) {
  const auto& [values, vocabulary] = logits;
  base::check(sampling.temperature > 0 && sampling.top_p > 0, "there is something to draw from");
  const std::uint64_t lanes = program.engine().device.limits().subgroup_size;
  const std::uint64_t vectors = (values.columns / 4 + lanes - 1) / lanes;  // of a lane
  constexpr std::uint64_t kPasses = 2 * (16 + SAMPLE_ID_BITS / 2) + 1;     // of the search for cuts
  if (vocabulary >= 1u << SAMPLE_ID_BITS ||
      3 * vectors + kPasses * (vectors / SAMPLE_VECTORS + 2) > kMaxIterations)
    base::fail("a vocabulary of ", vocabulary, " tokens is too large to draw from");
  adjust(program, logits, constraints);
  const TopK drawn{program.output(values.rows, 1), program.output(values.rows, 1)};
  program.launch(
      {.kernel = "sample",
       .constants = {values.columns},
       .operands = {constraints.forced_id, draws, values, drawn.ids, drawn.log_probabilities},
       .push_constants = bytes_of(SamplePush{values.rows.word, vocabulary,
                                             sampling.top_k == 0 ? vocabulary : sampling.top_k,
                                             sampling.top_p, 1 / sampling.temperature}),
       .x = Axis::rows(values.rows)});
  return drawn;
}

}  // namespace awend::nn
