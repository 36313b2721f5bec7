#include "train/validation.hpp"

#include "data/batch.hpp"

namespace awend::train {

Validation::Validation(nn::Engine& engine, const model::ModelView& model,
                       const data::PairsView& pairs, std::uint32_t batch_tokens)
    : pairs_(pairs),
      plan_(data::BatchPlan::in_order(pairs, {.batch_tokens = batch_tokens})),
      pass_(engine, model, {.rows = batch_tokens, .longest = pairs.longest()}) {
  pass_.compile();
}

forward::Losses Validation::run() {
  forward::Losses sum;
  for (std::size_t i = 0; i < plan_.size(); ++i) {
    data::pack_batch(pairs_, plan_[i], batch_);
    pass_.write(batch_);
    pass_.replay();
    sum += pass_.losses();
  }
  return sum;
}

}  // namespace awend::train
