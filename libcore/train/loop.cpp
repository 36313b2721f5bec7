#include "train/loop.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/error.hpp"
#include "base/signals.hpp"
#include "data/fingerprint.hpp"
#include "train/checkpoint.hpp"
#include "train/run_estimate.hpp"
#include "train/setting_names.hpp"
#include "train/stopping.hpp"

namespace awend::train {
namespace {

// A single update may overflow; this many in a row mean that the parameters are lost.
constexpr std::uint64_t kMaxSkippedInRow = 10;

data::UpdateStream stream_of(const LoopParts& parts, const RunState& state) {
  const Recipe& recipe = parts.identity.recipe;
  return {parts.corpus,
          {.batch_tokens = recipe.batch_tokens,
           .seed = recipe.seed,
           .batch_sentences = recipe.batch_sentences},
          {.batches = recipe.accumulate,
           .pass_rows = parts.pass_rows,
           .process = parts.ranks.rank(),
           .processes = parts.ranks.size()},
          state.position};
}

}  // namespace

Loop::Loop(const LoopParts& parts, const RunState& state, const base::Report& report)
    : parts_(parts),
      state_(state),
      report_(report),
      stream_(stream_of(parts, state)),
      epochs_(stream_.epochs()),
      first_step_(state.counts.step),
      first_share_(share_done()),
      first_seconds_(state.seconds),
      phase_ends_(parts.trainer.model().model().phase_ends()) {
  state_.pass_rows = parts.pass_rows;
  state_.best.compare_by(parts.limits.best_metric);
  if (!parts.resumes) return;
  saved_at_ = state.counts.step;
  if (parts.log != nullptr && parts.log->last_step() == state.counts.step)
    logged_at_ = state.counts.step;
}

std::string Loop::run() {
  report_.answer_interrupts(
      "\r\x1b[Ktrain: stopping after this update; press Ctrl-C again to quit without saving\n");
  report_.status("first update");
  const auto view = parts_.show_task(report_, {.what = "training", .unit = "steps"});
  std::optional<std::string> reason;
  try {
    if (std::exchange(state_.owes_validation, false) && parts_.validation != nullptr) {
      saved_at_.reset();  // with what the validation changes
      validate();
      save();
    }
    while (!(reason = reason_to_stop())) {
      step();
      warn_if_long();
      show(*view);
    }
  } catch (const base::ClosedPipe&) {
    save();  // the reader of the log is gone; keep the work
    throw;
  }
  if (!parts_.resumes && state_.counts.step == first_step_) {
    if (const auto limit = reached_limit(parts_.limits, state_))
      report_.warning(base::concat(parts_.directory, ": nothing left to do after ", *limit));
  }
  if (parts_.ranks.size() > 1) require_same_weights();
  save();
  // All ranks end as the one that got a signal, without a validation that has not begun.
  const bool is_stopped = parts_.ranks.largest(base::stop_signal()) != 0;
  if (!is_stopped || last_evaluation_) finish();
  return *reason;
}

std::optional<std::string> Loop::reason_to_stop() const {
  const auto own = own_reason_to_stop();
  const bool any = parts_.ranks.largest(own ? 1 : 0) > 0;
  return any && !own ? "requested by another rank" : own;
}

std::optional<std::string> Loop::own_reason_to_stop() const {
  if (base::stop_signal() != 0) return "a signal";
  if (will_overrun())
    return base::concat(parts_.limits.time_limit_minutes, " minutes, the time limit");
  return reached_limit(parts_.limits, state_);
}

// Assumes that the next step, and a validation that is due after it, take as long as the last ones.
// A validation in the middle of a run is never skipped, because that would change which checkpoint
// is best.
bool Loop::will_overrun() const {
  const double limit_seconds = 60 * parts_.limits.time_limit_minutes;
  if (limit_seconds <= 0) return false;
  const bool validates =
      parts_.validation != nullptr && (state_.counts.step + 1) % parts_.limits.valid_every == 0;
  const double next_seconds = update_seconds_ + (validates ? validation_seconds_ : 0);
  return seconds_since(parts_.started) + next_seconds >= limit_seconds;
}

void Loop::step() {
  timed_update();
  if (state_.counts.skipped_in_row >= kMaxSkippedInRow) {
    base::fail("the gradient was not finite in ", kMaxSkippedInRow,
               " updates in a row, up to step ", state_.counts.step, "; ",
               saved_at_ ? base::Message("start from an earlier checkpoint of ", parts_.directory,
                                         " in another directory by ", kInitialWeights)
                         : base::Message("no checkpoint was saved: start again"),
               ", with a smaller ", kLearningRate, " or ", kClipNorm);
  }
  begin_phase_if_due();
  const auto due = [&](std::uint64_t every) {
    return every > 0 && state_.counts.step % every == 0;
  };
  const bool validates = due(parts_.limits.valid_every);
  // Rank 0 may save the validated weights, if they are among the best.
  if (parts_.ranks.size() > 1 && validates && parts_.limits.keep_best > 0) require_same_weights();
  if (parts_.validation != nullptr && validates) {
    validate();
  } else if (due(parts_.limits.log_every)) {
    if (validates_last()) {
      last_evaluation_ = evaluate();
      if (!last_evaluation_) return;
      add_last_to_best();  // before the line, which tells a run that resumes that nothing is left
    }
    write_line(last_evaluation_);
  }
  // While updates are skipped, the weights are those of before, or lost.
  if (!due(parts_.limits.save_every) || state_.counts.skipped_in_row > 0) return;
  if (parts_.ranks.size() > 1) require_same_weights();
  save();
}

/// All ranks begin a phase after the same update.  A checkpoint of this update is already in it, so
/// that a resumed run needs to know only its step.
void Loop::begin_phase_if_due() {
  const auto end = std::ranges::find(phase_ends_, state_.counts.step);
  if (end == phase_ends_.end()) return;
  const auto phase = static_cast<std::size_t>(end - phase_ends_.begin()) + 1;
  parts_.trainer.model().model().begin_phase(parts_.trainer.parameters(), phase);
  report_.info(base::concat("phase ", phase + 1, " of ", phase_ends_.size() + 1,
                            " of the training begins after step ", state_.counts.step));
}

/// Networks of earlier phases compute something else: none of them is among the best.
bool Loop::is_in_last_phase() const {
  return phase_ends_.empty() || state_.counts.step >= phase_ends_.back();
}

const data::PackedUpdate& Loop::draw() {
  auto update = stream_.next();
  drawn_.push_back({std::move(update), stream_.position(), stream_.epochs()});
  return drawn_.back().update;
}

Update Loop::timed_update() {
  const auto start = Clock::now();
  if (drawn_.empty()) draw();
  const Update update = parts_.trainer.update(
      drawn_.front().update, [&]() -> auto& { return draw(); });
  const double seconds = seconds_since(start);
  state_.counts = parts_.trainer.counts();
  state_.position = drawn_.front().position;
  epochs_ = drawn_.front().epochs;
  drawn_.pop_front();
  state_.seconds += seconds;
  update_seconds_ = seconds;
  state_.window.add(update, seconds);
  if (state_.window.updates > 0) perplexity_ = state_.window.losses.perplexity();
  return update;
}

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

/// Nothing if a signal requests a stop.  The run is then saved before the time that a batch system
/// leaves it has passed, and evaluates these weights when it resumes.
std::optional<Evaluation> Loop::evaluate() {
  report_.status(base::concat("validating, step ", state_.counts.step));
  try {
    return train::evaluate(parts_.trainer.model(), *parts_.validation, parts_.translation);
  } catch (const base::Interrupted&) {
    return std::nullopt;
  }
}

void Loop::validate() {
  const auto start = Clock::now();
  const auto evaluated = evaluate();
  state_.owes_validation = !evaluated;
  if (!evaluated) return;
  const Evaluation& evaluation = *evaluated;
  validation_seconds_ = seconds_since(start);
  state_.seconds += validation_seconds_;
  const auto keep = parts_.limits.keep_best;
  const bool among_best =
      is_in_last_phase() &&
      state_.best.add({state_.counts.step, evaluation.value(parts_.limits.best_metric)}, keep);
  write_line(evaluation);
  validated_at_ = state_.counts.step;
  if (among_best && keep > 0) save();
}

/// Whether this is the last update, and there is time for a validation.
bool Loop::validates_last() const {
  return parts_.validation != nullptr && base::stop_signal() == 0 && !will_overrun() &&
         reached_limit(parts_.limits, state_).has_value();
}

void Loop::write_line(const std::optional<Evaluation>& evaluation) {
  LogLine line{.step = state_.counts.step,
               .epochs = epochs_,
               .seconds = state_.seconds,
               .window = state_.window,
               .rate = parts_.trainer.rate(),
               .skipped = state_.counts.skipped};
  if (evaluation) {
    line.validation = evaluation->losses;
    line.scores = evaluation->scores;
  }
  // The file has the line even if the reader of stdout is gone, which ends the run.
  const auto window = std::exchange(state_.window, {});
  const auto before = std::exchange(logged_at_, state_.counts.step);
  if (parts_.log == nullptr) return;
  if (parts_.log->reader() == Reader::kTerminal)
    report_.status({});  // the log may go to the same terminal
  try {
    parts_.log->write(line);
  } catch (const base::ClosedPipe&) {
    throw;
  } catch (const base::Error&) {  // the disk of the log is full; keep the work
    state_.window = window;
    logged_at_ = before;
    save();
    throw;
  }
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
    base::fail("after step ", state_.counts.step,
               " the ranks have different weights, which are not saved");
  }
}

void Loop::save() {
  if (saved_at_ == state_.counts.step || state_.counts.step == 0) return;
  if (parts_.ranks.rank() != 0) return;
  if (parts_.log != nullptr) {
    state_.log_begin = parts_.log->begin();
    state_.log_first_line = parts_.log->first_line();
  }
  save_checkpoint(parts_.directory, {parts_.trainer.parameters(), state_, parts_.identity},
                  parts_.limits);
  saved_at_ = state_.counts.step;
}

// The validation at the end serves the reader and the link to the best checkpoint.  The checkpoint
// is saved without it, so that a resumed run counts the same validations as one that never stopped.
void Loop::finish() {
  const bool has_new_updates = state_.window.updates > 0 && logged_at_ != state_.counts.step;
  const bool is_validated = validated_at_ == state_.counts.step;
  if (!has_new_updates && (is_validated || state_.counts.step == first_step_)) return;
  const bool is_written = last_evaluation_.has_value();
  if (!is_written && parts_.validation != nullptr) {
    if (will_overrun()) {
      report_.info("the time limit is reached: the last validation is skipped");
    } else {
      last_evaluation_ = evaluate();
      if (!last_evaluation_) return;
    }
  }
  // The state tells a run that continues this one what is linked.
  if (!is_written && last_evaluation_ && add_last_to_best() && parts_.ranks.rank() == 0) {
    link_best(parts_.directory, state_.best, parts_.limits.keep_best);
    replace_state(parts_.directory, {parts_.trainer.parameters(), state_, parts_.identity});
  }
  // The line comes last: it tells a run that resumes that nothing is left to do.
  if (!is_written && (last_evaluation_ || has_new_updates)) write_line(last_evaluation_);
}

/// Returns whether the last evaluation is better than all before.
bool Loop::add_last_to_best() {
  return is_in_last_phase() &&
         state_.best.add_at_end(
             {state_.counts.step, last_evaluation_->value(parts_.limits.best_metric)});
}

}  // namespace awend::train
