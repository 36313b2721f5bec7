// The checkpoints of a run: a file with weights, and one with the training state from which the run
// resumes.
//
// The state is written as `pending-N`, then the weights, each atomically; then the state gets its
// name.  A checkpoint with both files is complete, and a state without weights means that somebody
// removed them.  Test: tests/learn/resume_test.cpp, tests/faults.
#pragma once

#include <optional>
#include <string>

#include "base/report.hpp"
#include "store/checkpoints.hpp"
#include "train/resets.hpp"
#include "train/run_state.hpp"
#include "train/state_file.hpp"
#include "train/trainer.hpp"

namespace awend::train {

/// Writes a checkpoint: weights, or their moving average if the model keeps one, and the training
/// state.  Then removes all training states but the newest (keep_states), and weights without a
/// state that are neither among the newest (keep) nor among the best (keep_best), nor what
/// "best.safetensors" names, which it updates.
void save_checkpoint(const std::string& directory, const SavedRun& run, const RunLimits& limits);

/// Replaces the training state of the checkpoint at this step: its weights remain the same.
void replace_state(const std::string& directory, const SavedRun& run);

/// Settles what a save_checkpoint() that was killed left: a state whose weights were written gets
/// its name, another one is removed.
void settle_pending_states(const std::string& directory, const base::Report& report);

/// Completes a save_checkpoint() that was interrupted: removes old files and updates
/// "best.safetensors". `state` is that of the newest checkpoint.
void complete_save(const std::string& directory, const RunState& state, const RunLimits& limits);

/// Makes "best.safetensors" a link to the best checkpoint that exists, or a copy if the file system
/// has no links.  Does nothing without a best checkpoint, if the best one is in the directory of
/// another run, or if `keep_best` is 0.  Throws Error naming the file.
void link_best(const std::string& directory, const BestValidations& best, std::uint32_t keep_best);

/// The checkpoint that a run in `directory` resumes from; nothing if the directory does not exist
/// or has neither weights nor states.  A damaged checkpoint, or one whose weights were removed, is
/// skipped with a warning if there is an older one with both files.  Throws Error if there are only
/// weights without training state, which a new run would mix with its own, or states without
/// weights.
std::optional<store::Checkpoint> find_checkpoint(const std::string& directory,
                                                 const base::Report& report);

/// The state of a checkpoint.  Throws Error naming the file and what is missing or invalid.
RunState read_state(const store::Checkpoint& checkpoint);

/// The settings of its recipe, as text (see store::Settings::from_json).
std::string recipe_text(const store::Checkpoint& checkpoint);

/// Throws Error naming the first setting that differs. require_same_corpus() compares the
/// fingerprint, because reading the corpus takes time.
void require_same_run(const store::Checkpoint& checkpoint, const Identity& identity);
void require_same_corpus(const store::Checkpoint& checkpoint, const Identity& identity);

/// Loads weights and both moments.
void load_checkpoint(const store::Checkpoint& checkpoint, Trainer& trainer);

/// The state of another run's checkpoint, for a new run in another directory.  Throws Error if the
/// checkpoint has no training state, or another model, vocabulary or, unless reset, corpus.
RunState resume_from(const std::string& path, const Resets& resets, const Identity& identity,
                     Trainer& trainer);

}  // namespace awend::train
