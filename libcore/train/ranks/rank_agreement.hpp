// Ensures that ranks agree before they train together.  A single rank always agrees.
//
// Test: tests/cli/train_ranks.sh.
#pragma once

#include <functional>

#include "base/report.hpp"
#include "train/corpora.hpp"
#include "train/ranks/ranks.hpp"
#include "train/run_settings.hpp"
#include "train/run_state.hpp"
#include "train/trainer.hpp"

namespace awend::train {

/// Runs `work` on rank 0, then on one rank of each other machine, then on all others, so that later
/// ranks find the files of earlier ones, and only the first reports a common failure.
void in_turn(Ranks& ranks, const std::function<void()>& work);

/// Throws Error if several ranks are to read a text or vocabulary that does not exist or is not a
/// regular file.
void require_files(const Ranks& ranks, const RunSettings& settings);

/// The text of rank 0.
std::string text_of_first(Ranks& ranks, std::string text);

/// Throws Error on a rank whose settings, vocabulary or corpus differ from those of rank 0; of the
/// limits, only those at which ranks wait for each other must be the same.
void require_same_run(Ranks& ranks, const Identity& identity, const RunLimits& limits);

/// Reports the device of each rank, and warns of GPUs shared by several.  Returns how many ranks
/// share the device of this one.
std::uint32_t report_devices(Ranks& ranks, const nn::Engine& engine, const base::Report& report);

/// Copies state, weights, moments and average of rank 0 to all ranks.
RunState share_state(Ranks& ranks, const RunState& state, Trainer& trainer);

}  // namespace awend::train
