// When a run is complete.  Test: tests/unit/train/state_test.cpp.
#pragma once

#include <optional>
#include <string>

#include "train/recipe.hpp"
#include "train/run_state.hpp"

namespace awend::train {

/// Which limit a run at `state` has reached, in words; nothing if none.
std::optional<std::string> reached_limit(const RunLimits& limits, const RunState& state);

}  // namespace awend::train
