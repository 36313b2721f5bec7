// The loop of a run: update after update, with the log, validations and checkpoints where they are
// due.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/progress.hpp"
#include "base/report.hpp"
#include "data/update_stream.hpp"
#include "train/run_state.hpp"
#include "train/translated_validation.hpp"
#include "train/validation.hpp"

namespace awend::train {

using Clock = std::chrono::steady_clock;

/// What the loop works with; all of it outlives the loop.
struct LoopParts {
  Ranks& ranks;  ///< Rank 0 alone validates, and writes the log and checkpoints.
  Trainer& trainer;
  Validation* validation;             ///< Null if there is no text for it.
  TranslatedValidation* translation;  ///< Null if its text is not translated.
  Log* log;                           ///< Null on ranks other than 0.
  data::PairsView corpus;
  const Identity& identity;
  std::uint32_t pass_rows;  ///< Of the trainer.
  const Course& course;
  std::string directory;      ///< Of the checkpoints.
  bool resumes;               ///< From a checkpoint in `directory`.
  bool is_on_cpu;             ///< The device.
  Clock::time_point started;  ///< Of the process, for the time limit.
};

class Loop {
 public:
  /// `report` outlives the loop.
  Loop(const LoopParts& parts, const RunState& state, const base::Report& report);

  /// Updates until a rank has a reason to stop, and saves.  Returns the reason in words.
  std::string run();

 private:
  std::optional<std::string> own_reason_to_stop() const;
  std::optional<std::string> reason_to_stop() const;
  void step();
  bool will_overrun() const;
  double share_done() const;
  double share_done_here() const;
  void show(base::Progress& progress);
  void warn_if_long();
  Update timed_update();
  void validate();
  /// What a validation finds, of the weights or their average.
  struct Seen {
    forward::Losses losses;
    std::optional<Scores> scores;
    double value(Metric metric) const;
  };
  Seen look();
  void write_line(const std::optional<Seen>& seen);
  void save();
  void require_same_weights() const;
  void finish();

  LoopParts parts_;
  RunState state_;
  const base::Report& report_;
  data::UpdateStream stream_;
  std::optional<std::uint64_t> saved_at_, logged_at_;
  std::uint64_t first_step_;
  double first_share_, first_seconds_;
  double update_seconds_ = 0, validation_seconds_ = 0;  ///< Of the last one; 0: none yet.
  bool is_pace_known_ = false;
  double rate_ = 0;
  std::optional<double> perplexity_;  ///< The window's, and the last one's while it is empty.
};

/// Whether a run that stands at `state` has come to the end of its course, and why.
std::optional<std::string> end_of_course(const Course& course, const RunState& state);

}  // namespace awend::train
