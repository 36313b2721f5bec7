// What ranks must have in common before they train together.  Of a process that is alone all of
// this holds.
//
// Test: tests/cli/train_ranks.sh.
#pragma once

#include <functional>

#include "base/report.hpp"
#include "train/corpora.hpp"
#include "train/ranks/ranks.hpp"
#include "train/run_state.hpp"
#include "train/trainer.hpp"

namespace awend::train {

/// Runs `work` on rank 0, then on one rank of each other machine, then on all others: a file that
/// one makes the next ones find.  Where all would fail alike, only the first does.
void in_turn(Ranks& ranks, const std::function<void()>& work);

/// Throws Error if several ranks should read a text that is not a file.
void require_files(const Ranks& ranks, const CorporaFiles& texts);

/// Throws Error on a rank that has other settings, vocabulary or corpus than rank 0.
void require_same_run(Ranks& ranks, const Identity& identity);

/// Notes which rank computes where, and warns of GPUs that have to serve several.  Returns how many
/// ranks share this one's device.
std::uint32_t tell_devices(Ranks& ranks, const vulkan::Device& device, const base::Report& report);

/// Gives all ranks what rank 0 has: where the run stands, weights, moments and average.
RunState share_state(Ranks& ranks, const RunState& state, Trainer& trainer);

}  // namespace awend::train
