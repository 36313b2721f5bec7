// The loss on the validation text: forward only, without dropout, in the order of the corpus.
//
// The processor computes as many batches at once as it has threads, a GPU one after the other.
// Batches are smaller than those of training there, so that there are enough of them; losses do not
// depend on the number of threads.  Test: tests/learn/validation_test.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "data/batch_plan.hpp"
#include "forward/pass.hpp"

namespace awend::train {

class Validation {
 public:
  struct Settings {
    std::uint32_t batch_tokens;  ///< Of training; at most the tokens of a batch.
    /// Passes beyond the first are made as long as the memory of the device that exists is less.
    std::uint64_t budget_bytes = UINT64_MAX;
  };
  /// The model and the data of `pairs` must outlive the object.
  Validation(nn::Engine& engine, const model::ModelView& model, const data::PairsView& pairs,
             const Settings& settings);

  /// Losses with the current parameters.  Throws base::Interrupted after a stop signal.
  forward::Losses run();

 private:
  Validation(nn::Engine& engine, const model::ModelView& model, const data::PairsView& pairs,
             const forward::PassSettings& pass, std::uint64_t budget_bytes);

  data::PairsView pairs_;
  data::BatchPlan plan_;
  std::vector<std::unique_ptr<forward::Pass>> passes_;  // that run at the same time
};

}  // namespace awend::train
