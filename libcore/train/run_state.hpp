// Where a run stands, and what it is: what a training state holds beside weights and moments.
#pragma once

#include <cstdint>
#include <string>

#include "data/batch_plan.hpp"
#include "model/config.hpp"
#include "train/best.hpp"
#include "train/recipe.hpp"
#include "train/update.hpp"
#include "train/window.hpp"

namespace awend::train {

/// Where a run stands, apart from weights and moments.
struct RunState {
  UpdateCounts counts;
  data::BatchPosition position;
  std::uint32_t pass_rows = 0;  ///< Of the passes so far; sums in another order round otherwise.
  double seconds = 0;
  Window window;
  BestValidations best;
};

/// What must be the same when a run goes on.
struct Identity {
  model::Config config;
  Recipe recipe;
  std::string vocabulary;            ///< The whole file.
  std::uint64_t corpus_fingerprint;  ///< See data/fingerprint.hpp.
};

}  // namespace awend::train
