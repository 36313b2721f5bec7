// What a run leaves behind and goes on from: weights for everybody, and the training state beside
// them.
//
// The state is written first and the weights second, each atomically, so that a checkpoint that has
// both is whole. Test: tests/learn/resume_test.cpp.
#pragma once

#include <optional>
#include <string>

#include "store/checkpoints.hpp"
#include "train/run_state.hpp"
#include "train/trainer.hpp"

namespace awend::train {

/// Writes the checkpoint of the step that `state` is at: weights, which are their moving average if
/// there is one, and the training state.  Then removes older training states, and weights that are
/// neither among the newest course.keep nor the best course.keep_best; "best.safetensors" is a link
/// to the best.
void save_checkpoint(const std::string& folder, Trainer& trainer, const RunState& state,
                     const Identity& identity, const Course& course);

/// The checkpoint that a run in `folder` goes on from; nothing if the folder is not there yet or
/// has no checkpoint. Throws Error if it has weights but no training state, which are not to be
/// mixed with another run's.
std::optional<store::Checkpoint> find_checkpoint(const std::string& folder);

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
