// A whole run of training: from files to a folder of checkpoints, stopped and resumed at will.
//
// Starting again with the same folder goes on where the last checkpoint stands, and gives the bytes
// that a run without the interruption would have given.  Test: tests/learn/resume_test.cpp,
// tests/cli/train.sh.
#pragma once

#include <string>

#include "base/report.hpp"
#include "train/checkpoint.hpp"
#include "train/corpora.hpp"
#include "train/initial_weights.hpp"
#include "train/ranks.hpp"
#include "train/recipe.hpp"

namespace awend::train {

struct RunSettings {
  CorporaFiles texts;
  std::string vocabulary;  ///< A vocabulary file.
  std::string output;      ///< The folder of the checkpoints, made if it is not there.
  std::string cache;       ///< The folder of encoded corpora; empty: "cache" in `output`.
  /// The most pieces of a side in training; 0: as many as fit.
  std::uint32_t max_length = 0;
  InitialWeights init_from;  ///< Of a new run; an empty path: none.
  std::string resume_from;   ///< Another run's checkpoint that a new run goes on from; empty: none.
  Resets resets;             ///< What it does not take from there.
  /// Of the whole run, however often it was interrupted; empty: "log.tsv" in `output`.
  std::string log;
  std::string device;
  model::Config config;  ///< Its vocabulary is set from the file.
  Recipe recipe;
  Course course;
};

/// Trains until the course ends.  On SIGINT or SIGTERM to any rank, if they are watched
/// (base/signals.hpp), all finish the step, rank 0 saves, and all return.  What a rank throws, the
/// others do not know of: they wait for it until they are ended.
void run(const RunSettings& settings, Ranks& ranks, const base::Report& report);

}  // namespace awend::train
