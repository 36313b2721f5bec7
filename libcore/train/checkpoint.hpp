// The files of a run: weights for everybody, and next to them the training state from which the run
// resumes.
//
// The state is written first and the weights second, each atomically, so that a checkpoint that has
// both is whole. Test: tests/learn/resume_test.cpp, tests/faults.
#pragma once

#include <optional>
#include <string>

#include "base/report.hpp"
#include "store/checkpoints.hpp"
#include "train/run_state.hpp"
#include "train/state_file.hpp"
#include "train/trainer.hpp"

namespace awend::train {

/// Writes the checkpoint of the step that `state` is at: weights, which are their moving average if
/// there is one, and the training state.  Then removes training states that are not among the
/// newest course.keep_states, and weights that are neither among the newest course.keep nor the
/// best course.keep_best, and have no state; "best.safetensors" becomes a link to the best.
void save_checkpoint(const std::string& directory, const SavedRun& run, const Course& course);

/// Does what is left of save_checkpoint() after a process was killed in the middle of it: prunes,
/// and points "best.safetensors" where it belongs.  `state` is that of the newest checkpoint.
void complete_save(const std::string& directory, const RunState& state, const Course& course);

/// Makes "best.safetensors" a link to the best checkpoint, or a copy where there are no links.
/// Does nothing if there is no best one yet, or if `keep_best` is 0.  Throws Error naming the file.
void link_best(const std::string& directory, const BestValidations& best, std::uint32_t keep_best);

/// The checkpoint that a run in `directory` resumes from; nothing if the directory does not exist
/// or has no checkpoint.  A damaged one is passed over with a warning if there is an older one with
/// its state.  Throws Error if there are weights but no training state, because the new run's would
/// be mixed with them.
std::optional<store::Checkpoint> find_checkpoint(const std::string& directory,
                                                 const base::Report& report);

/// Where the run of a checkpoint stands.  Throws Error naming the file and what is missing or
/// wrong.
RunState read_state(const store::Checkpoint& checkpoint);

/// Throws Error naming the setting that is not what it was.  The fingerprint is left to
/// require_same_corpus(), since reading the corpus takes time.
void require_same_run(const store::Checkpoint& checkpoint, const Identity& identity);
void require_same_corpus(const store::Checkpoint& checkpoint, const Identity& identity);

/// Weights and both moments of a checkpoint.
void load_checkpoint(const store::Checkpoint& checkpoint, Trainer& trainer);

/// What a new run does not take from the state of another.
struct Resets {
  bool optimizer = false;  ///< Adam's moments.
  bool schedule = false;   ///< The count of updates, which the rate follows.
  bool data = false;       ///< The place in the corpus, which may be another.
  bool best = false;       ///< The best validations.
};

/// The state of another run's checkpoint, for a new run in another folder.  Throws Error if it has
/// no training state beside it, another model or vocabulary, or, unless it is reset, another
/// corpus.
RunState resume_from(const std::string& path, const Resets& resets, const Identity& identity,
                     Trainer& trainer);

}  // namespace awend::train
