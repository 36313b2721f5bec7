#include "train/stopping.hpp"

#include "base/concat.hpp"

namespace awend::train {

std::optional<std::string> reached_limit(const RunLimits& limits, const RunState& state) {
  if (state.counts.step >= limits.max_steps)
    return base::concat(state.counts.step, " updates, the maximum");
  if (limits.max_epochs > 0 && state.position.epoch >= limits.max_epochs) {
    return base::concat(state.position.epoch, " epochs, the maximum");
  }
  if (limits.early_stopping > 0 && state.best.since_best >= limits.early_stopping) {
    return base::concat(state.best.since_best, " validations without improvement");
  }
  return std::nullopt;
}

}  // namespace awend::train
