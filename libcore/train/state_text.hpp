// Converts the state of a run to settings and back, with numbers in the shortest exact form.
// Without the libraries of training, for programs that show a state.
#pragma once

#include <string_view>

#include "store/array_file.hpp"
#include "store/stored_settings.hpp"
#include "train/run_state.hpp"

namespace awend::train {

/// Prefixes of the names of arrays in a state: those of the moments, and of the weights if the
/// checkpoint has their average.
inline constexpr std::string_view kFirstMoment = "adam.moment1.", kSecondMoment = "adam.moment2.",
                                  kStateWeights = "weights.";

store::Settings to_settings(const RunState& state);
/// What differs if the same run is repeated, or interrupted: durations, the place in the log, and
/// validations at the ends of its parts.
store::Settings history_to_settings(const RunState& state);
/// Throws Error naming the setting that is missing or not a number.
RunState state_from_settings(const store::Settings& settings, const store::Settings& history);
/// Throws Error naming the file and what is missing or invalid.
RunState run_state_of(const store::ArrayFile& file);

}  // namespace awend::train
