// score --perplexity: what the log-probabilities of translations come to.
#pragma once

#include "base/options.hpp"

namespace awend::tools {

/// Reads scored lines from stdin, and writes perplexities: per token, and per word of REFERENCE
/// where that is given.
void print_perplexity(const base::Options& options);

}  // namespace awend::tools
