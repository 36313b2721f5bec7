// Where a run stands, as settings: numbers by name, in the shortest form that reads back as the
// same number.
#pragma once

#include "store/settings.hpp"
#include "train/run_state.hpp"

namespace awend::train {

store::Settings to_settings(const RunState& state);
store::Settings seconds_to_settings(const RunState& state);
/// Throws Error naming the setting that is missing or no number.
RunState state_from_settings(const store::Settings& settings, const store::Settings& seconds);

}  // namespace awend::train
