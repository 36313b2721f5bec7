// The loss on the validation text: forward only, without dropout, in the order of the corpus.
//
// The processor computes as many batches at once as it has threads, a GPU one after the other.
// Batches are smaller than those of training there, so that there are enough of them; losses do not
// depend on the number of threads.  Test: tests/learn/validation_test.cpp.
#pragma once

#include <memory>
#include <vector>

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
  std::vector<std::unique_ptr<forward::Pass>> passes_;  // that run at the same time
};

}  // namespace awend::train
