// Options of translate for markup and protected text.
#pragma once

#include <optional>
#include <span>

#include "cli/options.hpp"
#include "decode/answer_text.hpp"
#include "decode/markup_lines.hpp"

namespace awend::tools {

/// The rows of the option table.
std::span<const cli::Option> markup_options();

/// Nothing without markup and protected text.  Throws UsageError for options that exclude them.
std::optional<decode::MarkupSettings> markup_settings_of(const cli::Options& options);

}  // namespace awend::tools
