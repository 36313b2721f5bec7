// The loss on the validation text: forward only, without dropout, in the order of the corpus.
#pragma once

#include "batch/packed_batch.hpp"
#include "data/batch_plan.hpp"
#include "forward/pass.hpp"

namespace awend::train {

class Validation {
 public:
  /// The model and the data of `pairs` must outlive the object.
  Validation(nn::Engine& engine, const model::ModelView& model, const data::PairsView& pairs,
             std::uint32_t batch_tokens);

  /// Losses with the current parameters.
  forward::Losses run();

 private:
  data::PairsView pairs_;
  data::BatchPlan plan_;
  forward::Pass pass_;
  batch::PackedBatch batch_;
};

}  // namespace awend::train
