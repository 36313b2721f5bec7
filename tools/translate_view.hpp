// Options of translate for alignment, attention, and scores of given translations.
#pragma once

#include <optional>

#include "cli/options.hpp"
#include "decode/answer_view.hpp"
#include "decode/line_scorer.hpp"

namespace awend::tools {

/// Throws UsageError for options that exclude each other.
decode::ViewSettings view_settings_of(const cli::Options& options);

/// Throws UsageError for output formats that --raw does not support.
void check_raw(const cli::Options& options);

/// Settings of --target, if given; `output` is the format that the other options request.
std::optional<decode::ScorerSettings> scorer_settings_of(const cli::Options& options,
                                                         decode::Output output);

}  // namespace awend::tools
