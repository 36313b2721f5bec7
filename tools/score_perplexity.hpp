// score --perplexity: perplexity from the log-probabilities of translations.
#pragma once

#include "cli/options.hpp"

namespace awend::tools {

/// Reads scored lines from stdin and prints perplexity per token, and per word if REFERENCE is
/// given.
void print_perplexity(const cli::Options& options);

}  // namespace awend::tools
