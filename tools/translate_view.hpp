// What the options of translate ask for beside translations: alignment, attention, and scores of
// translations that are given.
#pragma once

#include <optional>

#include "base/options.hpp"
#include "decode/answer_view.hpp"
#include "decode/line_scorer.hpp"

namespace awend::tools {

/// Throws UsageError for options that do not go together.
decode::ViewSettings view_settings_of(const base::Options& options);

/// What --target is to give, if it is there; `output` is what the other options ask for.
std::optional<decode::ScorerSettings> scorer_settings_of(const base::Options& options,
                                                         decode::Output output);

}  // namespace awend::tools
