// What a run reads and locks: before it opens the device, vocabulary, output directory and last
// checkpoint; then the corpora, which may take long.
//
// Test: tests/cli/train.sh, tests/cli/train_corpus.sh, tests/faults.
#pragma once

#include <optional>
#include <string>

#include "base/directory_lock.hpp"
#include "base/report.hpp"
#include "store/array_file.hpp"
#include "store/checkpoints.hpp"
#include "train/directories.hpp"
#include "train/ranks/ranks.hpp"
#include "train/run_settings.hpp"
#include "train/run_state.hpp"

namespace awend::train {

class RunInputs {
 public:
  /// Everything but the corpora.  Throws Error if the last checkpoint has other settings.
  RunInputs(const RunSettings& settings, Ranks& ranks, const base::Report& report);
  /// Requires: !is_complete().  Throws Error if ranks or the last checkpoint have other settings or
  /// corpora.
  void read_corpora(const RunSettings& settings, Ranks& ranks, const base::Report& report);

  /// Whether nothing is left to do in the output directory.
  bool is_complete() const { return is_complete_; }
  text::Vocabularies vocabularies() const {
    return {source_vocabulary_ ? *source_vocabulary_ : *vocabulary_, *vocabulary_};
  }
  const Identity& identity() const { return identity_; }
  /// Requires: read_corpora().
  const Corpora& corpora() const { return *corpora_; }
  /// That the run resumes from; only on rank 0, and nothing if the run is new.
  const std::optional<store::Checkpoint>& checkpoint() const { return checkpoint_; }
  /// The weights that the run starts from, of that checkpoint or another one; only on rank 0, and
  /// empty if they are random.
  const std::string& start() const { return start_; }

 private:
  void open(const RunSettings& settings, const base::Report& report);
  void read_checkpoint(const RunSettings& settings);
  void keep_labels_of(const store::ArrayFile& start);
  void keep_defaults_of(const store::ArrayFile& start, const base::Report& report);
  void resume_recipe(const RunSettings& settings);
  void read_vocabularies(const std::string& path);

  std::optional<text::Vocabulary> vocabulary_;         // of the target, and of the source …
  std::optional<text::Vocabulary> source_vocabulary_;  // … unless it has its own
  Identity identity_;
  Directories directories_;
  std::optional<base::DirectoryLock> lock_;  // released before the directories are removed
  std::optional<store::Checkpoint> checkpoint_;
  std::string start_;
  std::string recipe_before_;       // of the checkpoint, as text; empty if the run is new
  std::optional<std::string> end_;  // why nothing is left to do, on rank 0 …
  bool is_complete_ = false;        // … and whether, on all
  std::optional<Corpora> corpora_;
};

}  // namespace awend::train
