// The loop of a run: updates, and the log, validations and checkpoints when they are due.  Test:
// tests/learn/resume_test.cpp, tests/cli/train.sh.
#pragma once

#include <chrono>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "base/report.hpp"
#include "data/update_stream.hpp"
#include "train/evaluation.hpp"
#include "train/log.hpp"
#include "train/ranks/ranks.hpp"
#include "train/run_state.hpp"
#include "train/task_view.hpp"
#include "train/trainer.hpp"

namespace awend::train {

using Clock = std::chrono::steady_clock;

/// What the loop uses; all of it must outlive the loop.
struct LoopParts {
  Ranks& ranks;  ///< Only rank 0 validates and writes the log and checkpoints.
  Trainer& trainer;
  Validation* validation;         ///< Null without a validation text.
  ScoredValidation* translation;  ///< Null if that is not translated or encoded.
  Log* log;                       ///< Null on ranks other than 0.
  data::PairsView corpus;
  const Identity& identity;
  std::uint32_t pass_rows;  ///< Of the trainer.
  const RunLimits& limits;
  std::string directory;      ///< Of the checkpoints.
  bool resumes;               ///< From a checkpoint in `directory`.
  bool is_on_cpu;             ///< The device.
  Clock::time_point started;  ///< Of the process, for the time limit.
  ShowTask show_task = show_nothing;
};

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

class Loop {
 public:
  /// `report` must outlive the loop.
  Loop(const LoopParts& parts, const RunState& state, const base::Report& report);

  /// Updates until a rank has a reason to stop, then saves.  Returns the reason in words.
  std::string run();

 private:
  std::optional<std::string> own_reason_to_stop() const;
  std::optional<std::string> reason_to_stop() const;
  void step();
  bool will_overrun() const;
  bool validates_last() const;
  double share_done() const;
  double share_done_here() const;
  void show(TaskView& view) const;
  void warn_if_long();
  const data::PackedUpdate& draw();
  Update timed_update();
  void validate();
  void begin_phase_if_due();
  bool is_in_last_phase() const;
  std::optional<Evaluation> evaluate();
  void write_line(const std::optional<Evaluation>& evaluation);
  void save();
  void require_same_weights() const;
  void finish();
  bool add_last_to_best();

  LoopParts parts_;
  RunState state_;
  const base::Report& report_;
  data::UpdateStream stream_;
  /// An update, and the place in the corpora after it.
  struct Drawn {
    data::PackedUpdate update;
    data::BatchPosition position;
    double epochs = 0;
  };
  std::deque<Drawn> drawn_;  // the update that is computed, and the next one if it was needed
  double epochs_;            // after the last update
  std::optional<std::uint64_t> saved_at_, logged_at_, validated_at_;  // steps
  std::optional<Evaluation> last_evaluation_;  // at the end of the run, not counted by the state
  std::uint64_t first_step_;
  double first_share_, first_seconds_;
  double update_seconds_ = 0, validation_seconds_ = 0;  // of the last one; 0: none yet
  bool is_pace_known_ = false;
  std::vector<std::uint64_t> phase_ends_;  // see model::Model
  std::optional<double> perplexity_;       // of the window, or of the last one while it is empty
};

}  // namespace awend::train
