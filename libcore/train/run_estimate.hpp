// Estimates the duration of a run from its first updates, to warn when a large model is trained on
// a CPU.  Test: tests/unit/train/run_estimate_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace awend::train {

/// Measurements after some updates of a run.
struct RunPace {
  std::uint64_t updates = 0;      ///< Done by this process.
  double seconds = 0;             ///< Duration of these updates.
  double share = 0;               ///< Their share of the rest of the run, in (0, 1].
  double time_limit_seconds = 0;  ///< 0: none.
};

/// Whether the pace is known accurately enough for long_run_warning().
bool is_settled(const RunPace& pace);

/// A warning if a run on a CPU will take more than half a day; nothing otherwise.
std::optional<std::string> long_run_warning(const RunPace& pace);

/// "40 s", "12 minutes", "7 hours", "61 days".
std::string duration_text(double seconds);

}  // namespace awend::train
