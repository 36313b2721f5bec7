// A whole run of training: from files to a directory of checkpoints.
//
// A run can be stopped at any time.  Started again with the same directory, it resumes from the
// last checkpoint and produces the same bytes as a run without interruption.  Test:
// tests/learn/resume_test.cpp, tests/cli/train.sh.
#pragma once

#include "base/report.hpp"
#include "train/ranks/ranks.hpp"
#include "train/run_settings.hpp"

namespace awend::train {

/// Trains until a limit of the settings is reached.  On SIGINT or SIGTERM to any rank, if they are
/// watched (base/signals.hpp), all ranks finish the step, rank 0 saves, and all return.  If a rank
/// throws, the others wait for it until they are aborted.  Throws UsageError for settings that are
/// not in their domains, and base::ClosedPipe if the reader of `log_output` has exited.
void run(const RunSettings& settings, Ranks& ranks, const base::Report& report);

}  // namespace awend::train
