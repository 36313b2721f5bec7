#include "train/stopping.hpp"

#include "base/concat.hpp"

namespace awend::train {

std::optional<std::string> end_of_course(const Course& course, const RunState& state) {
  if (state.counts.step >= course.max_steps)
    return base::concat(state.counts.step, " updates, the maximum");
  if (course.max_epochs > 0 && state.position.epoch >= course.max_epochs) {
    return base::concat(state.position.epoch, " epochs, the maximum");
  }
  if (course.early_stopping > 0 && state.best.since_best >= course.early_stopping) {
    return base::concat(state.best.since_best,
                        " validations without improvement");
  }
  return std::nullopt;
}

}  // namespace awend::train
