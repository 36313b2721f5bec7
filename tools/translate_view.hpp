// Options of translate for alignment, attention, and scores of given translations.
#pragma once

#include <optional>

#include "cli/options.hpp"
#include "decode/answer_view.hpp"
#include "decode/line_scorer.hpp"

namespace awend::tools {

/// What the lines of all files are.
decode::LineForm line_form_of(const cli::Options& options);

/// Whether the alignment decides where markup is.
enum class Markup { kNone, kKeep };
/// Throws UsageError for options that exclude each other or --raw.
decode::ViewSettings view_settings_of(const cli::Options& options, Markup markup);

/// Settings of --target, if given; `output` is the format that the other options request.
std::optional<decode::ScorerSettings> scorer_settings_of(const cli::Options& options,
                                                         decode::Output output);

}  // namespace awend::tools
