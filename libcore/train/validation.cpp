#include "train/validation.hpp"

namespace awend::train {

Validation::Validation(nn::Engine& engine, nn::Parameters& parameters,
                       const model::Seq2Seq& seq2seq, const data::SentencePairs& pairs,
                       std::uint32_t batch_tokens)
    : pairs_(pairs),
      plan_(data::BatchPlan::in_order(pairs, {.batch_tokens = batch_tokens})),
      pass_(engine, parameters, seq2seq, batch_tokens, nn::Mode::kInference) {}

Losses Validation::run() {
  Losses sum;
  for (std::size_t i = 0; i < plan_.size(); ++i) {
    data::pack_batch(pairs_, plan_[i], batch_);
    sum += pass_.run(batch_, nn::StepScalars{});
  }
  return sum;
}

}  // namespace awend::train
