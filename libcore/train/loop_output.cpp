// What the loop reports, evaluates and saves.
#include <algorithm>
#include <bit>

#include "base/error.hpp"
#include "data/fingerprint.hpp"
#include "train/checkpoint.hpp"
#include "train/loop.hpp"
#include "train/run_estimate.hpp"

namespace awend::train {

// The first limit reached ends the run; early stopping and signals cannot be predicted.
double Loop::share_done() const {
  const RunLimits& limits = parts_.limits;
  double share = static_cast<double>(state_.counts.step) / static_cast<double>(limits.max_steps);
  if (limits.max_epochs > 0)
    share = std::max(share, epochs_ / static_cast<double>(limits.max_epochs));
  return share;
}

/// The share of what remained when this process started.
double Loop::share_done_here() const {
  return (share_done() - first_share_) / std::max(1 - first_share_, 1e-9);
}

void Loop::show(TaskView& view) const {
  if (!view.is_due()) return;
  double share = share_done_here();
  if (const auto limit = parts_.limits.time_limit_minutes; limit > 0)
    share = std::max(share, seconds_since(parts_.started) / (60 * limit));
  auto more = base::concat("step ", state_.counts.step);
  if (perplexity_) more += base::concat(", perplexity ", four_digits(*perplexity_));
  view.update({.done = state_.counts.step - first_step_, .share = share, .more = more});
}

void Loop::warn_if_long() {
  if (is_pace_known_ || !parts_.is_on_cpu) return;
  const RunPace pace{.updates = state_.counts.step - first_step_,
                     .seconds = state_.seconds - first_seconds_,
                     .share = share_done_here(),
                     .time_limit_seconds = 60 * parts_.limits.time_limit_minutes};
  if (!is_settled(pace)) return;
  is_pace_known_ = true;
  if (const auto warning = long_run_warning(pace)) report_.warning(*warning);
}

Evaluation Loop::evaluate() {
  report_.status(base::concat("validating, step ", state_.counts.step));
  return train::evaluate(parts_.trainer.model(), *parts_.validation, parts_.translation);
}

void Loop::validate() {
  const auto start = Clock::now();
  const Evaluation evaluation = evaluate();
  validation_seconds_ = seconds_since(start);
  state_.seconds += validation_seconds_;
  const auto keep = parts_.limits.keep_best;
  const bool among_best =
      state_.best.add({state_.counts.step, evaluation.value(parts_.limits.best_metric)}, keep);
  write_line(evaluation);
  // Before the checkpoint is saved, so that a resumed run is in the same phase.
  const bool is_new_phase = end_linear_start();
  if (among_best && keep > 0 && !is_new_phase) save();
}

void Loop::write_line(const std::optional<Evaluation>& evaluation) {
  LogLine line{.step = state_.counts.step,
               .epochs = epochs_,
               .seconds = state_.seconds,
               .window = state_.window,
               .rate = rate_,
               .skipped = state_.counts.skipped};
  if (evaluation) {
    line.validation = evaluation->losses;
    line.scores = evaluation->scores;
  }
  if (parts_.log != nullptr) {
    if (parts_.log->reader() == Reader::kTerminal)
      report_.status({});  // the log may go to the same terminal
    parts_.log->write(line);
  }
  state_.window = {};
  logged_at_ = state_.counts.step;
}

// All ranks compute the same numbers from the same sums.  A rank with faulty memory or a faulty
// driver would continue with other weights.
void Loop::require_same_weights() const {
  const auto& parameters = parts_.trainer.parameters();
  data::Fingerprint weights;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    for (const float value : parameters.read(parameters.parameter(i)))
      weights.add(std::bit_cast<std::uint32_t>(value));
  }
  const auto own = static_cast<std::int64_t>(weights.value() >> 1);
  if (parts_.ranks.largest(own) != -parts_.ranks.largest(-own)) {
    base::fail("after step ", state_.counts.step, " the ranks have different weights; ",
               parts_.directory, " keeps its last checkpoint");
  }
}

void Loop::save() {
  if (saved_at_ == state_.counts.step || state_.counts.step == 0) return;
  if (parts_.ranks.rank() != 0) return;
  save_checkpoint(parts_.directory, {parts_.trainer.parameters(), state_, parts_.identity},
                  parts_.limits);
  saved_at_ = state_.counts.step;
}

// The validation at the end serves the reader and the link to the best checkpoint.  The checkpoint
// is saved before it, so that a resumed run writes the same lines and counts the same validations
// as one that never stopped.
void Loop::finish() {
  if (logged_at_ == state_.counts.step || state_.window.updates == 0) return;
  if (parts_.validation == nullptr) return write_line(std::nullopt);
  if (will_overrun()) {
    report_.info("the time limit is reached: the last validation is skipped");
    return write_line(std::nullopt);
  }
  const Evaluation evaluation = evaluate();
  write_line(evaluation);
  BestValidations best = state_.best;
  const auto keep = parts_.limits.keep_best;
  best.add({state_.counts.step, evaluation.value(parts_.limits.best_metric)}, keep);
  if (parts_.ranks.rank() == 0) link_best(parts_.directory, best, keep);
}

}  // namespace awend::train
