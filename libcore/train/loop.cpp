#include "train/loop.hpp"

#include <algorithm>
#include <bit>

#include "base/error.hpp"
#include "base/signals.hpp"
#include "data/fingerprint.hpp"
#include "train/checkpoint.hpp"
#include "train/run_estimate.hpp"
#include "train/setting_names.hpp"

namespace awend::train {
namespace {

// A single update may overflow; so many in a row mean that the parameters are lost.
constexpr std::uint64_t kMostSkippedInRow = 10;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

data::UpdateStream stream_of(const LoopParts& parts, const RunState& state) {
  const Recipe& recipe = parts.identity.recipe;
  return {parts.corpus,
          {.batch_tokens = recipe.batch_tokens, .seed = recipe.seed},
          {.batches = recipe.accumulate,
           .pass_rows = parts.pass_rows,
           .process = parts.ranks.rank(),
           .processes = parts.ranks.size()},
          state.position};
}

}  // namespace

std::optional<std::string> end_of_course(const Course& course, const RunState& state) {
  if (state.progress.step >= course.max_steps)
    return base::concat(state.progress.step, " updates, the maximum");
  if (course.max_epochs > 0 && state.position.epoch >= course.max_epochs) {
    return base::concat(state.position.epoch, " epochs, the maximum");
  }
  if (course.early_stopping > 0 && state.best.since_best >= course.early_stopping) {
    return base::concat(state.best.since_best, " validations without a better one");
  }
  return std::nullopt;
}

Loop::Loop(const LoopParts& parts, const RunState& state, const base::Report& report)
    : parts_(parts),
      state_(state),
      report_(report),
      stream_(stream_of(parts, state)),
      first_step_(state.progress.step),
      first_share_(share_done()),
      first_seconds_(state.seconds) {
  state_.pass_rows = parts.pass_rows;
  state_.best.compare_by(parts.course.best_metric);
  if (parts.resumes) saved_at_ = state.progress.step;
}

// Whichever limit comes first ends the run; early stopping and signals are nobody's guess.
double Loop::share_done() const {
  const Course& course = parts_.course;
  double share = static_cast<double>(state_.progress.step) / static_cast<double>(course.max_steps);
  if (course.max_epochs > 0)
    share = std::max(share, stream_.epochs() / static_cast<double>(course.max_epochs));
  return share;
}

/// Of what was left when this process began.
double Loop::share_done_here() const {
  return (share_done() - first_share_) / std::max(1 - first_share_, 1e-9);
}

void Loop::show(base::Progress& progress) {
  if (!progress.is_due()) return;
  double share = share_done_here();
  if (const auto limit = parts_.course.time_limit_minutes; limit > 0)
    share = std::max(share, seconds_since(parts_.started) / (60 * limit));
  auto more = base::concat("step ", state_.progress.step);
  if (perplexity_) more += base::concat(", perplexity ", four_digits(*perplexity_));
  progress.update({.done = state_.progress.step - first_step_, .share = share, .more = more});
}

void Loop::warn_if_long() {
  if (is_pace_known_ || !parts_.is_on_cpu) return;
  const RunPace pace{.updates = state_.progress.step - first_step_,
                     .seconds = state_.seconds - first_seconds_,
                     .share = share_done_here(),
                     .time_limit_seconds = 60 * parts_.course.time_limit_minutes};
  if (!is_settled(pace)) return;
  is_pace_known_ = true;
  if (const auto warning = long_run_warning(pace)) report_.warning(*warning);
}

std::string Loop::run() {
  report_.answer_interrupts(
      "\r\x1b[Ktrain: stopping after this update; press Ctrl-C again to quit without saving\n");
  report_.status("first update");
  base::Progress progress(report_, {.what = "training", .unit = "steps"});
  std::optional<std::string> reason;
  try {
    while (!(reason = reason_to_stop())) {
      step();
      warn_if_long();
      show(progress);
    }
  } catch (const base::ClosedPipe&) {
    save();  // nobody reads the log, but the work is not lost
    throw;
  }
  if (parts_.ranks.size() > 1) require_same_weights();
  save();
  if (base::stop_signal() == 0) finish();
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
    return base::concat(parts_.course.time_limit_minutes, " minutes, the time limit");
  return end_of_course(parts_.course, state_);
}

// The next step is taken to last as long as the last one, and so is the validation that is due
// after it: a validation is never left out in the middle of a run, which would change what is best.
bool Loop::will_overrun() const {
  const double limit_seconds = 60 * parts_.course.time_limit_minutes;
  if (limit_seconds <= 0) return false;
  const bool validates =
      parts_.validation != nullptr && (state_.progress.step + 1) % parts_.course.valid_every == 0;
  const double next_seconds = update_seconds_ + (validates ? validation_seconds_ : 0);
  return seconds_since(parts_.started) + next_seconds >= limit_seconds;
}

void Loop::step() {
  const Update update = timed_update();
  rate_ = update.rate;
  if (state_.progress.skipped_in_row >= kMostSkippedInRow) {
    base::fail("the gradient was not finite in ", kMostSkippedInRow,
               " updates in a row, up to step ", state_.progress.step, "; ", parts_.directory,
               " keeps its last checkpoint; reduce ", kLearningRate, " or set ", kClipNorm);
  }
  const auto due = [&](std::uint64_t every) {
    return every > 0 && state_.progress.step % every == 0;
  };
  if (parts_.validation != nullptr && due(parts_.course.valid_every)) {
    validate();
  } else if (due(parts_.course.log_every)) {
    write_line(std::nullopt);
  }
  if (!due(parts_.course.save_every)) return;
  if (parts_.ranks.size() > 1) require_same_weights();
  save();
}

Update Loop::timed_update() {
  const auto start = Clock::now();
  const Update update = parts_.trainer.update(stream_.next());
  const double seconds = seconds_since(start);
  state_.progress = parts_.trainer.progress();
  state_.position = stream_.position();
  state_.seconds += seconds;
  update_seconds_ = seconds;
  state_.window.add(update, seconds);
  if (state_.window.updates > 0) perplexity_ = state_.window.losses.perplexity();
  return update;
}

double Loop::Seen::value(Metric metric) const {
  if (metric == Metric::kLoss)
    return losses.negative_log_likelihood / static_cast<double>(losses.tokens);
  base::check(scores.has_value(), "what is compared by its translations is translated");
  return metric == Metric::kBleu ? scores->bleu : scores->chrf;
}

Loop::Seen Loop::look() {
  report_.status(base::concat("validating, step ", state_.progress.step));
  return parts_.trainer.model().with_average([&] {
    Seen seen{.losses = parts_.validation->run(), .scores = {}};
    if (parts_.translation != nullptr) seen.scores = parts_.translation->scores();
    return seen;
  });
}

void Loop::validate() {
  const auto start = Clock::now();
  const Seen seen = look();
  validation_seconds_ = seconds_since(start);
  state_.seconds += validation_seconds_;
  const auto keep = parts_.course.keep_best;
  const bool among_best =
      state_.best.add({state_.progress.step, seen.value(parts_.course.best_metric)}, keep);
  write_line(seen);
  if (among_best && keep > 0) save();
}

void Loop::write_line(const std::optional<Seen>& seen) {
  LogLine line{.step = state_.progress.step,
               .epochs = stream_.epochs(),
               .seconds = state_.seconds,
               .window = state_.window,
               .rate = rate_,
               .skipped = state_.progress.skipped};
  if (seen) {
    line.validation = seen->losses;
    line.scores = seen->scores;
  }
  if (parts_.log != nullptr) {
    if (parts_.log->reader() == Reader::kTerminal) report_.status({});  // it may be the same one
    parts_.log->write(line);
  }
  state_.window = {};
  logged_at_ = state_.progress.step;
}

// Each rank computes the same numbers from the same sums; one whose memory or driver fails would
// train on with weights of its own.
void Loop::require_same_weights() const {
  const auto& parameters = parts_.trainer.parameters();
  data::Fingerprint weights;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    for (const float value : parameters.read(parameters.parameter(i)))
      weights.add(std::bit_cast<std::uint32_t>(value));
  }
  const auto own = static_cast<std::int64_t>(weights.value() >> 1);
  if (parts_.ranks.largest(own) != -parts_.ranks.largest(-own)) {
    base::fail("after step ", state_.progress.step, " the ranks have different weights; ",
               parts_.directory, " keeps its last checkpoint");
  }
}

void Loop::save() {
  if (saved_at_ == state_.progress.step || state_.progress.step == 0) return;
  if (parts_.ranks.rank() != 0) return;
  save_checkpoint(parts_.directory, parts_.trainer, state_, parts_.identity, parts_.course);
  saved_at_ = state_.progress.step;
}

// The validation at the end is for the reader and for the link to the best: what was saved before
// it lets a run that resumes write the lines, and count the validations, of one that never stopped.
void Loop::finish() {
  if (logged_at_ == state_.progress.step || state_.window.updates == 0) return;
  if (parts_.validation == nullptr) return write_line(std::nullopt);
  if (will_overrun()) {
    report_.info("the time limit is reached: the last validation is skipped");
    return write_line(std::nullopt);
  }
  const Seen seen = look();
  write_line(seen);
  BestValidations best = state_.best;
  const auto keep = parts_.course.keep_best;
  best.add({state_.progress.step, seen.value(parts_.course.best_metric)}, keep);
  if (parts_.ranks.rank() == 0) link_best(parts_.directory, best, keep);
}

}  // namespace awend::train
