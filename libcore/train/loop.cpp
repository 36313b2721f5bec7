#include "train/loop.hpp"

#include "base/error.hpp"
#include "base/signals.hpp"
#include "train/setting_names.hpp"
#include "train/stopping.hpp"

namespace awend::train {
namespace {

// A single update may overflow; this many in a row mean that the parameters are lost.
constexpr std::uint64_t kMaxSkippedInRow = 10;

bool starts_linear(Trainer& trainer) {
  const auto parameter = trainer.model().model().linear_start();
  return parameter && trainer.parameters().read(*parameter).front() == 0;
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

Loop::Loop(const LoopParts& parts, const RunState& state, const base::Report& report)
    : parts_(parts),
      state_(state),
      report_(report),
      stream_(stream_of(parts, state)),
      epochs_(stream_.epochs()),
      first_step_(state.counts.step),
      first_share_(share_done()),
      first_seconds_(state.seconds),
      is_linear_(starts_linear(parts.trainer)) {
  state_.pass_rows = parts.pass_rows;
  state_.best.compare_by(parts.limits.best_metric);
  if (parts.resumes) saved_at_ = state.counts.step;
}

std::string Loop::run() {
  report_.answer_interrupts(
      "\r\x1b[Ktrain: stopping after this update; press Ctrl-C again to quit without saving\n");
  report_.status("first update");
  const auto view = parts_.show_task(report_, {.what = "training", .unit = "steps"});
  std::optional<std::string> reason;
  try {
    while (!(reason = reason_to_stop())) {
      step();
      warn_if_long();
      show(*view);
    }
  } catch (const base::ClosedPipe&) {
    save();  // the reader of the log is gone; keep the work
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
  const Update update = timed_update();
  rate_ = update.rate;
  if (state_.counts.skipped_in_row >= kMaxSkippedInRow) {
    base::fail("the gradient was not finite in ", kMaxSkippedInRow,
               " updates in a row, up to step ", state_.counts.step, "; ", parts_.directory,
               " keeps its last checkpoint; reduce ", kLearningRate, " or set ", kClipNorm);
  }
  const auto due = [&](std::uint64_t every) {
    return every > 0 && state_.counts.step % every == 0;
  };
  const bool validates = due(parts_.limits.valid_every);
  if (parts_.validation != nullptr && validates) {
    validate();
  } else if (is_linear_ && validates) {
    end_linear_start();
  } else if (due(parts_.limits.log_every)) {
    write_line(std::nullopt);
  }
  if (!due(parts_.limits.save_every)) return;
  if (parts_.ranks.size() > 1) require_same_weights();
  save();
}

/// Ends the linear start of all ranks if the validation did not improve.  The validations of one
/// phase are not compared with those of the other.
bool Loop::end_linear_start() {
  const bool own = parts_.validation != nullptr && state_.best.since_best > 0;
  if (!is_linear_ || parts_.ranks.largest(own ? 1 : 0) == 0) return false;
  is_linear_ = false;
  auto& parameters = parts_.trainer.parameters();
  const auto parameter = *parts_.trainer.model().model().linear_start();
  const float on[] = {1};
  parameters.write(parameter, on);
  if (parameters.keeps_average()) parameters.write(parameter, on, nn::Parameters::Buffer::kAverage);
  state_.best = {.metric = state_.best.metric};
  report_.info(base::concat("end of the linear start at step ", state_.counts.step));
  return true;
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

}  // namespace awend::train
