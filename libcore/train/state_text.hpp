// Converts the state of a run to settings and back, with numbers in the shortest exact form.
#pragma once

#include "store/stored_settings.hpp"
#include "train/run_state.hpp"

namespace awend::train {

store::Settings to_settings(const RunState& state);
store::Settings seconds_to_settings(const RunState& state);
/// Throws Error naming the setting that is missing or not a number.
RunState state_from_settings(const store::Settings& settings, const store::Settings& seconds);

}  // namespace awend::train
