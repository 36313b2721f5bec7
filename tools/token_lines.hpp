// The answers of tokenize to single lines.
#pragma once

#include <memory>

#include "base/filter.hpp"
#include "cli/options.hpp"
#include "codec_options.hpp"

namespace awend::tools {

/// Encodes lines or, with --decode, decodes them; --show and --n-best list tokens.
std::unique_ptr<base::LineWorker> make_token_worker(const Coding& coding,
                                                    const cli::Options& options);

}  // namespace awend::tools
